import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../harness/poll.ts'
import { asPerson, changingAfterInbox, model, printed, WORDS } from './cases.ts'
import { codexWorld } from './codex.ts'
import type { Asked } from './responses.ts'

const rung = ({ prompt }: Asked) => /Check inbox\.$/.test(prompt)

test('a ring comes before the first prompt, at the end of a turn that is being streamed, with a draft, and after Escape', async () => {
  const world = await codexWorld(model)
  const bob = await world.start('bob')
  const tell = (text: string) => world.chat('send', '@bob', text, '--as', 'lead')
  const heard = async (text: string) => world.model.waitFor(text, printed(new RegExp(text)))
  await world.chat('join', 'lead', '--no-watch').catch(() => undefined)
  await tell('before any prompt')
  await heard('before any prompt')

  await bob.submit('SLOW please')
  await bob.waitFor(/one two/)
  await tell('while it streams')
  expect((await heard('while it streams')).text).toContain(WORDS)

  await bob.type('a draft')
  await bob.waitFor(/› a draft/)
  await tell('with a draft')
  await heard('with a draft')
  await bob.waitFor(/› a draft/)
  await bob.key('C-u')

  await bob.submit('SLOW again')
  await bob.waitFor(/again[\s\S]*one two/)
  await bob.key('Escape')
  await bob.waitFor(/interrupted/)
  await tell('after Escape')
  await heard('after Escape')
  expect(world.model.asked.filter(rung).filter(({ results }) => results.length === 0)).toHaveLength(
    4,
  )
})

test('setup is reported until the hooks are trusted, and taken out byte for byte; a change of a message is put to the human', async () => {
  const world = await codexWorld(model)
  const files = ['config.toml', 'hooks.json', 'AGENTS.md'].map((name) => join(world.config, name))
  const text = async (path: string) => (existsSync(path) ? await readFile(path, 'utf8') : undefined)
  await writeFile(files[2] as string, 'mine, and no newline at its end')
  const before = await Promise.all(files.map(text))
  await world.chat('setup', '--agent', 'codex')
  expect(await world.chat('doctor', '--no-ring')).toMatch(/codex.*does not trust/)
  await world.chat('setup', '--agent', 'codex', '--yes')
  await world.chat('setup', '--agent', 'codex', '--remove')
  expect(await Promise.all(files.map(text))).toEqual(before)
  await world.chat('setup', '--agent', 'codex', '--yes')
  expect(await world.chat('doctor', '--no-ring')).toMatch(/ok +codex.*hooks set up and trusted/)

  const bob = await world.start('bob')
  await bob.submit('hello')
  await bob.waitFor(/• ok/)
  await world.chat('setup', '--agent', 'codex', '--remove')
  const [config, ...others] = await Promise.all(files.map(text))
  // Codex has added lines of its own since.
  expect(config).toContain(before[0])
  expect(config).not.toContain('hooks.state')
  expect(others).toEqual(before.slice(1))
})

test('a no of the human keeps the call of a message from running', async () => {
  const world = await codexWorld(changingAfterInbox)
  await world.chat('setup', '--agent', 'codex', '--yes')
  await world.start('bob')
  await world.chat('join', 'lead', '--no-watch').catch(() => undefined)
  await world.chat('send', '@bob', 'please change something', '--as', 'lead')
  await world.model.waitFor('the refusal', printed(/decision 1/))
  await eventually('bob to be idle', async () => /idle/.test(await world.chat('status', 'bob')))
  await (await asPerson(world))('agent-chat reply 1 3')
  const told = await world.model.waitFor(
    'the turn of the no',
    ({ prompt, results }) => /from @human/.test(prompt) && results.length > 1,
  )
  expect(told.results[1]).toMatch(/blocked by PreToolUse hook/)
  expect(existsSync(join(world.cwd, 'made-by-a-message'))).toBe(false)
})
