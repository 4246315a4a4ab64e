import { expect, test } from 'vitest'
import { homeWatcher } from '../../src/session/watcher.ts'
import { until } from '../../src/testing/until.ts'
import { nodesOf } from './nodes.ts'
import { joinPane, standIn, tmuxWorld } from './world.ts'

test('a watcher at rest rings, for what nobody has told it of too', async () => {
  const world = await tmuxWorld()
  const agent = await standIn(world)
  const watcher = await joinPane(world, 'frontend', agent.pane)
  await until('rest', () => nodesOf(world).length === 0)
  const env = { AGENT_CHAT_FAULT: 'send:recorded' }
  const killed = await world.run(['send', '@frontend', '--as', 'backend', 'ready'], { env })
  expect(killed.signal).toBe('SIGKILL')
  await until('the ring', () => agent.pieces().includes('\r'))
  expect(homeWatcher(world.bus)).toEqual(watcher)
}, 90_000)
