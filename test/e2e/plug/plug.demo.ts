import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { agentWorld } from '../agents/world.ts'
import { eventually } from '../harness/poll.ts'
import { type ApiRequest, hears } from '../harness/request.ts'
import { worldForTest } from '../harness/test-world.ts'
import type { World } from '../harness/world.ts'
import { svgOf } from '../pictures/svg.ts'
import { ARGS, bash, commands, pullThePlug, say } from './world.ts'

/** What each was at when the plug was pulled, and the text that waits for it. */
const CLAUDES = { ann: 'at a dialog', ben: 'with a draft', cas: 'at work', dan: 'idle' }
const CODEXES = ['eve', 'fay']
const NAMES = [...Object.keys(CLAUDES), ...CODEXES]
const WAITING = { cas: 'please make made-cas', ben: 'is it true, ben?', eve: 'is it true, eve?' }

function model(request: ApiRequest) {
  const file = /please make (made-\w+)/.exec(request.messages.at(-1)?.text ?? '')?.[1]
  if (hears(request, 'Check inbox')) return bash('agent-chat inbox')
  if (file !== undefined) return bash(`touch ${file}`)
  if (hears(request, 'take your time')) return { blocks: [{ text: 'done' }], delayMs: 600_000 }
  return { text: 'noted' }
}

/** The terminal in which they were brought back. */
function drawn({ cwd }: World, printed: string, line: string): string {
  const text = printed.replaceAll(cwd, '~/work').replaceAll('folder'.padEnd(cwd.length), 'folder')
  const lines = ['$ agent-chat resume --yes', ...text.trimEnd().split('\n'), '', line]
  const columns = Math.max(...lines.map(({ length }) => length))
  const svg = svgOf([{ title: 'everything was killed, tmux as well', lines }], columns, line)
  expect(svg).not.toMatch(/\/tmp\/|\/root\/|\/home\/|\/Users\//)
  return svg
}

test('six agents come back after the plug was pulled', async () => {
  const world = await worldForTest({ rule: model })
  const codex = await agentWorld(
    'codex',
    ({ prompt, results }) =>
      /Check inbox/.test(prompt) && results.length === 0
        ? { run: 'agent-chat inbox' }
        : /take your time/.test(prompt)
          ? { say: 'done', ms: 600_000 }
          : { say: 'noted' },
    world,
  )
  const env = {
    ...(codex.env as Record<string, string>),
    PATH: `${dirname(world.claude)}:${codex.env.PATH}`,
  }
  const { chat, typed } = commands(world, env)
  const inHome = (...path: string[]) => join(world.chat, ...path)
  const idOf = (name: string): string =>
    JSON.parse(readFileSync(inHome('state', `${name}.json`), 'utf8')).session_id
  const paneOf = (name: string) =>
    world.tmux.pane(JSON.parse(readFileSync(inHome('sessions.json'), 'utf8'))[name].pane)

  await chat('setup', '--agent', 'codex', '--yes')
  for (const name of Object.keys(CLAUDES)) await chat('start', name, '--detach', '--', ...ARGS)
  for (const name of CODEXES) await codex.start(name)
  for (const name of NAMES) {
    const pane = paneOf(name)
    await pane.waitFor(CODEXES.includes(name) ? /› / : /❯/)
    await pane.submit(`the word of ${name} is w-${name}`)
  }
  for (const name of Object.keys(CLAUDES))
    await world.api.waitFor('a turn', (request) => hears(request, `w-${name}`))
  for (const name of CODEXES)
    await codex.model.waitFor('a turn', ({ prompt }) => prompt.includes(`w-${name}`))
  await chat('send', '@ann', 'please make made-ann', '--as', 'human')
  await paneOf('ann').waitFor(/made-ann[\s\S]*Do you want to proceed/)
  await paneOf('ben').type('half a sentence that')
  for (const name of ['cas', 'eve']) await paneOf(name).submit('take your time')
  await world.api.waitFor('cas at work', (request) => hears(request, 'take your time'))
  await codex.model.waitFor('eve at work', ({ prompt }) => prompt.includes('take your time'))
  const ids = Object.fromEntries(NAMES.map((name) => [name, idOf(name)]))
  await chat('pause')
  for (const [name, text] of Object.entries(WAITING))
    await chat('send', `@${name}`, text, '--as', 'human')
  await typed('unpause')

  await pullThePlug(world)
  const from = world.api.requests.length
  const began = performance.now()
  const resumed = await typed('resume', '--yes')
  const seconds = (performance.now() - began) / 1000
  expect(resumed).toMatchObject({ code: 0, stderr: '' })

  const read = (name: string) =>
    readdirSync(inHome('inbox', name, 'read')).filter((file) =>
      readFileSync(inHome('inbox', name, 'read', file), 'utf8').includes(
        WAITING[name as keyof typeof WAITING],
      ),
    ).length
  await eventually('the messages to be read', () =>
    Object.keys(WAITING).every((name) => read(name) > 0),
  )
  await paneOf('cas').waitFor(/made-cas[\s\S]*Do you want to proceed/)
  const told = (text: string) =>
    world.api.requests.slice(from).filter((request) => hears(request, text)).length +
    codex.model.asked.filter(({ results }) => results.at(-1)?.includes(text)).length
  const back = NAMES.filter((name) => resumed.stdout.includes(`with its conversation ${ids[name]}`))
  expect(NAMES.filter((name) => idOf(name) !== ids[name])).toEqual([])
  const lost = Object.keys(WAITING).filter((name) => read(name) === 0).length
  const twice = Object.values(WAITING).filter((text) => told(text) > 1).length
  const unasked = ['made-ann', 'made-cas'].filter((file) =>
    existsSync(join(world.cwd, file)),
  ).length
  const line = `${back.length}/6 back · ${lost} lost · ${twice} twice · ${unasked} unasked · ${seconds.toFixed(1)} s`
  say(line)
  if (process.env.AC_PLUG_PICTURE)
    writeFileSync(process.env.AC_PLUG_PICTURE, drawn(world, resumed.stdout, line))
  expect({ back: back.length, lost, twice, unasked }).toEqual({
    back: 6,
    lost: 0,
    twice: 0,
    unasked: 0,
  })
  await codex.close()
})
