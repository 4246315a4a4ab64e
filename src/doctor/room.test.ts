import { expect, test } from 'vitest'
import { noteRoom } from '../session/room.ts'
import { agentsOn } from '../testing/agent.ts'
import { tempBus, tempDirectory } from '../testing/home.ts'
import { checkRoom } from './room.ts'

test('the room is told of for each session: since when, or why not', async () => {
  const env = { HOME: tempDirectory() }
  expect(checkRoom({ env, bus: tempBus(['x']), root: '/x', client: undefined })).toEqual([])
  const { bus, agents } = await agentsOn('frontend', 'backend')
  const [frontend] = agents
  if (!frontend) throw new Error('no agent')
  noteRoom(bus, { agent: frontend.ref, since: '2026-11-21T03:39:12.123Z', client: '2.1.329' })
  expect(checkRoom({ env, bus, root: '/x', client: '2.1.329' })).toMatchObject([
    { name: 'room', status: 'ok', detail: expect.stringMatching(/@frontend since 2026.* 57 MiB/) },
    { name: 'room', status: 'ok', detail: expect.stringMatching(/^not in @backend: .*optional/) },
  ])
})
