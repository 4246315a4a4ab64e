import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { findSession, readSessions } from '../../src/bus/names/registry.ts'
import { lineNow, listNoted } from '../../src/session/needsLine.ts'
import type { StateEvent } from '../../src/session/state.ts'
import { noteEvent } from '../../src/session/stateFile.ts'
import { homeWatcher } from '../../src/session/watcher.ts'
import { ROOT } from '../../src/testing/cli.ts'
import { until } from '../../src/testing/until.ts'
import { nodesOf } from './nodes.ts'
import { ended, joinPane, refOf, serverForTest, standIn, tmuxWorld, type World } from './world.ts'

function agentOf({ bus }: World) {
  return findSession(readSessions(bus.home), 'frontend')?.agent ?? null
}

/** What the hooks of @frontend tell of it now. */
function told(world: World, kind: StateEvent['kind']) {
  const at = new Date().toISOString()
  noteEvent(world.bus, 'frontend', { kind, at, session_id: 's', agent: agentOf(world) })
}

/** A tmux client of a person's, with our line in its status line; gives its lowest row. */
async function client({ bus, server }: World): Promise<() => Promise<string>> {
  const command = `AGENT_CHAT_HOME=${bus.home.root} ${join(ROOT, 'bin/agent-chat')} who --line`
  await server.tmux('set', '-g', 'status-interval', '1')
  await server.tmux('set', '-g', 'status-right-length', '80')
  await server.tmux('set', '-g', 'status-right', `#(${command})|`)
  const outer = await serverForTest()
  const pane = await outer.newSession({ argv: ['tmux', '-S', server.socket, 'attach'] })
  const lowest = async () => (await pane.screen()).trimEnd().split('\n').at(-1) ?? ''
  await until('a status line', async () => (await lowest()).endsWith('|'))
  return lowest
}

test('the status line of tmux shows who needs you, and nothing once the watcher is killed', async () => {
  const world = await tmuxWorld()
  const agent = await standIn(world)
  await joinPane(world, 'frontend', agent.pane)
  told(world, 'started')
  const status = await client(world)
  const shows = (text: string) =>
    until(`the status line to end with ${text}`, async () => (await status()).endsWith(text))
  told(world, 'prompted')
  told(world, 'asked')
  await shows('1 needs you · @frontend asks permission|')
  told(world, 'worked')
  await until('no line', async () => !(await status()).includes('you'))
  told(world, 'asked')
  await shows('1 needs you · @frontend asks permission|')

  await until('rest', () => nodesOf(world).length === 0)
  const watcher = refOf(world, homeWatcher(world.bus)?.pid)
  process.kill(watcher.pid, 'SIGKILL')
  await ended(world, watcher)
  await until('no line', async () => !(await status()).includes('you'))
})

test.each<[how: string, end: (world: World) => Promise<unknown>]>([
  ['leaves', ({ run }) => run(['leave', 'frontend'])],
  ['is killed', async (world) => process.kill(agentOf(world)?.pid ?? 0, 'SIGKILL')],
])('once the last session %s, nothing is kept, whatever it had asked', async (_, end) => {
  const world = await tmuxWorld()
  const { bus } = world
  const agent = await standIn(world)
  await joinPane(world, 'frontend', agent.pane)
  for (const kind of ['started', 'prompted', 'asked'] as const) told(world, kind)
  const asked = { from: 'frontend', to: 'human', kind: 'question', body: 'Which port?' } as const
  const { message } = sendMessage(bus, asked)
  await until('the line', () => lineNow(bus) === '2 need you · @frontend asks permission')
  const watcher = refOf(world, homeWatcher(bus)?.pid)
  await end(world)
  await ended(world, watcher)
  expect(readFileSync(bus.home.needsLine, 'utf8').split('\n')[0]).toBe('')
  // What was on it is known still: the person is not told of it again.
  expect(listNoted(bus.home)).toContain(message.id)
})

test('a watcher at rest writes nothing while nothing changes, and runs no Node for it', async () => {
  const world = await tmuxWorld()
  const agent = await standIn(world)
  await joinPane(world, 'frontend', agent.pane)
  told(world, 'started')
  told(world, 'asked')
  const of = (path: string) => statSync(path, { throwIfNoEntry: false })
  const text = () => of(world.bus.home.needsLine)
  const at = (path: string) => of(path)?.mtimeMs ?? 0
  let quiet = 0
  // What wrote the line comes to rest after that. Between two runs there is none for a moment.
  const rests = () => {
    const rested = at(world.bus.home.watcherRest) >= at(world.bus.home.needsLine)
    quiet = rested && nodesOf(world).length === 0 ? quiet + 1 : 0
    return quiet > 30
  }
  await until('rest', () => (text()?.size ?? 0) > 40 && rests())
  const before = text()
  // What changes nothing about who needs the person wakes nobody.
  told(world, 'asked')
  told(world, 'compacted')
  expect(nodesOf(world)).toEqual([])
  expect(text()).toMatchObject({ ino: before?.ino, mtimeMs: before?.mtimeMs })
})
