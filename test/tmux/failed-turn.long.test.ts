import { statSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Bus } from '../../src/bus/bus.ts'
import { claimRing, settleRing } from '../../src/session/rings.ts'
import { withFailure } from '../../src/session/state.ts'
import { changeState, noteEvent } from '../../src/session/stateFile.ts'
import { homeWatcher } from '../../src/session/watcher.ts'
import { agentsOn } from '../../src/testing/agent.ts'
import { runCli } from '../../src/testing/cli.ts'
import { eventsOf } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { nodesOf } from './nodes.ts'
import { joinPane, send, standIn, tmuxWorld } from './world.ts'

/** So long the watcher has time to rest. In seconds. */
const LIMIT = 20

/** The last turn of @frontend fails now, at a limit that ends soon; gives when, in milliseconds. */
function fails(bus: Bus): number {
  const end = Math.ceil(Date.now() / 1000) + LIMIT
  const at = new Date().toISOString()
  changeState(
    bus,
    'frontend',
    (before) => before && withFailure(before, `usage limit reached|${end}`, at),
  )
  return end * 1000
}

test('the watcher of a pane rests, and types one ring for all when it is time to', async () => {
  const world = await tmuxWorld()
  const { bus } = world
  const agent = await standIn(world)
  await joinPane(world, 'frontend', agent.pane)
  const at = new Date().toISOString()
  noteEvent(bus, 'frontend', {
    kind: 'started',
    at,
    session_id: 'one',
    agent: bus.processes.self(),
  })
  const rings = () => eventsOf(bus.home, 'rung')
  const first = send(world, 'backend', 'frontend')
  await until('the first ring', () => rings().length === 1)
  const end = fails(bus)
  const second = send(world, 'backend', 'frontend')
  await until('rest', () => nodesOf(world).length === 0)
  expect(rings()).toHaveLength(1)
  await until('the second ring', () => rings().length === 2)
  expect(Date.parse(String(rings()[1]?.at))).toBeGreaterThanOrEqual(end)
  expect(rings().map(({ ids }) => ids)).toEqual([[first], [first, second]])
  // It is noted as it is typed; the agent reads it a moment later.
  const enters = () => agent.pieces().filter((piece) => piece === '\r').length
  await until('the second Enter', () => enters() >= 2)
  expect(enters()).toBe(2)
})

test('an agent that listens by itself, without a pane, has a watcher until its bell was rung', async () => {
  const { bus, agents } = await agentsOn('frontend', 'backend')
  const [frontend] = agents
  const chat = (...args: string[]) =>
    runCli(args, { home: bus.home.root, env: { AGENT_CHAT_NAME: 'backend' } })
  await chat('send', '@frontend', 'ready')
  expect(homeWatcher(bus)).toBeUndefined()
  const ids = claimRing(bus, 'frontend', 'native')
  settleRing(bus, 'frontend', 'native', ids, true)
  const end = fails(bus)
  // As its hook does, so does any command.
  await chat('send', '@frontend', 'more')
  expect(homeWatcher(bus)).toBeDefined()
  const bell = () => statSync(bus.home.ring('frontend')).mtimeMs
  await until('the bell', () => bell() >= end)
  await until('the end of the watcher', () => homeWatcher(bus) === undefined)
  const rung = { file_path: bus.home.ring('frontend'), event: 'change' }
  expect(await frontend?.hook('bell', rung)).toMatchObject({
    code: 2,
    stderr: '2 new messages from @backend. Check inbox.\n',
  })
})
