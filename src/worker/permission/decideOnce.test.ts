import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readUnread } from '../../bus/mail/inbox.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { escalationOf } from '../../message/escalation.ts'
import { noteReads } from '../../session/reads.ts'
import { noteWord } from '../../session/words.ts'
import { tempBus, tempDirectory } from '../../testing/home.ts'
import { readAllows } from '../../trust/allow/file.ts'
import { decideOnce } from './decideOnce.ts'

const SCRIPTS = { scripts: { test: 'vitest run' } }

/** @coder, which has read a message of @alice, in a project. */
function scene() {
  const bus = tempBus(['coder', 'alice', 'human'])
  const cwd = realpathSync(tempDirectory())
  const write = (scripts: object) =>
    writeFileSync(join(cwd, 'package.json'), JSON.stringify(scripts))
  write(SCRIPTS)
  const read = (draft: Parameters<typeof sendMessage>[1]) => {
    const { message } = sendMessage(bus, draft)
    noteReads(bus, 'coder', [{ message, approved: false }])
    return message
  }
  read({ from: 'alice', to: 'coder', kind: 'note', body: 'do it' })
  const ports = {
    env: { AGENT_CHAT_NOTIFY: 'off' },
    bus: () => bus,
    notice: () => {},
    self: { node: process.execPath, script: '/none', root: '/' },
  }
  const decide = (name: string, input: object, more = {}) =>
    decideOnce({ name: 'coder', call: { name, input: { ...input } }, cwd, ...more }, ports)
  const run = (command: string, more = {}) => decide('Bash', { command }, more)
  const optionsNow = () => {
    const decision = readUnread(bus, 'human').messages.at(-1)
    return decision ? (escalationOf(decision)?.options ?? []) : []
  }
  /** The human types the number of an option that begins so. */
  const choose = (begins: string) => {
    const decision = readUnread(bus, 'human').messages.at(-1)
    if (!decision) throw new Error('no decision')
    const choice = 1 + optionsNow().findIndex((option) => option.startsWith(begins))
    const to = { from: 'human', to: 'coder', kind: 'reply' as const, inReplyTo: decision }
    noteWord(bus, read({ ...to, body: `${choice}.`, extra: { choice: String(choice) } }))
  }
  const allowed = () => readAllows(bus.home)?.map(({ text, project }) => [text, project])
  return { bus, cwd, write, decide, run, optionsNow, choose, allowed }
}

const ALWAYS = 'Yes, and always in this project'
const LIKE = 'Yes, and for the rest of this turn'

describe('a decision about a call', () => {
  test.each([
    ['npm test', 'Yes, and always in this project: npm test'],
    ['git push origin main', 'Yes, and always in this project: git push origin main'],
    ['npm test | tail', undefined],
    ['node -e 1', undefined],
    ['sh x.sh', undefined],
    ['npm run none', undefined],
    [`rm ${'x'.repeat(200)}`, undefined],
    ['rm a\u202eb', undefined],
    ['rm x\n', undefined],
  ])('offers for %j: %s', async (command, offer) => {
    const { run, optionsNow } = scene()
    expect(await run(command)).toMatchObject({ allow: false })
    const usual = ['Yes, this one call', 'Yes, and all that it asks for in the rest of this turn']
    expect(optionsNow()).toEqual([...usual, 'No', ...(offer === undefined ? [] : [offer])])
  })

  test('offers a tool of a server, and the like for the turn', async () => {
    const { decide, run, optionsNow } = scene()
    await decide('mcp__github__merge', {})
    expect(optionsNow()[3]).toBe(`${ALWAYS}: mcp__github__merge`)
    await decide('Edit', { file_path: 'a' }, { like: 'edits inside the project' })
    expect(optionsNow()[3]).toBe(`${LIKE}: edits inside the project`)
    await run('npm test', { like: '“npm test” with files of the project' })
    expect(optionsNow().slice(3)).toEqual([
      ...[`${LIKE}: “npm test” with files of the project`, `${ALWAYS}: npm test`],
    ])
    await run('npm test ', { like: 'a\u202eb' })
    expect(optionsNow()).toHaveLength(3)
    await decide('Edit', { file_path: '/etc/a' })
    expect(optionsNow()).toHaveLength(3)
    await decide('Bash', { command: 'npm test', run_in_background: true })
    expect(optionsNow()).toHaveLength(3)
  })

  test.each([
    ['Yes, this one call', { allow: true }, []],
    ['Yes, and all', { allow: true, more: 'all' }, []],
    ['No', { allow: false }, []],
    [ALWAYS, { allow: true }, ['npm test']],
  ])('after %j: %j, and %j is allowed for good', async (choice, said, texts) => {
    const { cwd, run, choose, allowed } = scene()
    await run('npm test')
    choose(choice)
    expect(await run('npm test')).toMatchObject(said)
    expect(allowed()).toEqual(texts.map((text) => [text, cwd]))
  })

  test('after a yes to the like of it that is for the turn', async () => {
    const { decide, choose, allowed } = scene()
    const edit = () => decide('Edit', { file_path: 'a' }, { like: 'edits inside the project' })
    await edit()
    choose(LIKE)
    expect(await edit()).toEqual({ allow: true, more: 'like' })
    expect(allowed()).toEqual([])
  })

  test('a yes for good is for what was offered then: another script, or folder, asks again', async () => {
    for (const change of ['script', 'folder']) {
      const { cwd, run, write, choose, allowed } = scene()
      mkdirSync(join(cwd, 'sub'))
      writeFileSync(join(cwd, 'sub/package.json'), JSON.stringify(SCRIPTS))
      await run('npm test')
      choose(ALWAYS)
      if (change === 'script') write({ scripts: { test: 'rm x' } })
      const more = change === 'folder' ? { cwd: join(cwd, 'sub') } : {}
      expect(await run('npm test', more)).toEqual({ allow: true, more: undefined })
      expect([change, allowed()]).toEqual([change, []])
    }
  })

  test('a look before the call leaves the yes, and allows nothing yet', async () => {
    const { run, choose, allowed } = scene()
    await run('npm test', { early: true })
    choose(ALWAYS)
    expect(await run('npm test', { early: true })).toMatchObject({ allow: true })
    expect(allowed()).toEqual([])
    expect(await run('npm test')).toMatchObject({ allow: true })
    expect(allowed()).toHaveLength(1)
  })
})
