import { expect, test } from 'vitest'
import { eventsOf } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { joinPane, send, standIn, tmuxWorld, type World } from './world.ts'

const ONE = 'New message from @backend. Check inbox.'
const rungFor = (world: World) => eventsOf(world.bus.home, 'rung').flatMap(({ ids }) => ids)

test('one message rings once: the text, and Enter by itself', async () => {
  const world = await tmuxWorld()
  const agent = await standIn(world)
  await joinPane(world, 'frontend', agent.pane)
  const id = send(world, 'backend', 'frontend')
  await until('the ring', () => agent.pieces().includes('\r'))
  expect(agent.pieces()).toEqual([ONE, '\r'])
  await until('the history', () => rungFor(world).length > 0)
  expect(eventsOf(world.bus.home, 'rung')).toMatchObject([{ ids: [id], to: 'frontend', doorbell: 'tmux' }])
})
