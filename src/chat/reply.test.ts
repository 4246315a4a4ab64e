import { expect, test } from 'vitest'
import { eventsOf, filesIn, tempBus } from '../testing/home.ts'
import { escalateAs } from './escalate.ts'
import { reply } from './reply.ts'

test('of two answers to a decision that are given at once, one is sent', async () => {
  const bus = tempBus(['backend'])
  const self = { node: '', script: '', root: '' }
  const typed = 'terminal' as const
  const isTerminal = async () => true
  const ports = { bus: () => bus, env: {}, notice: () => {}, self, typed, isTerminal }
  await escalateAs('backend', { question: 'Drop it?', options: ['Yes', 'No'] }, ports)

  // Both have seen that the decision is open before either one sends.
  let readers = 0
  let bothRead = () => {}
  const both = new Promise<void>((resolve) => {
    bothRead = resolve
  })
  const answer = (body: string) =>
    reply(
      { id: '1', from: 'human' },
      async () => {
        readers += 1
        if (readers === 2) bothRead()
        await both
        return { body }
      },
      ports,
    )
  const ends = await Promise.allSettled([answer('1'), answer('2')])

  const refused = ends.filter((end) => end.status === 'rejected')
  expect(refused).toMatchObject([
    { reason: { message: expect.stringMatching(/^decision 1 already has an answer: /) } },
  ])
  expect(eventsOf(bus.home, 'sent').filter(({ kind }) => kind === 'reply')).toHaveLength(1)
  expect(filesIn(bus.home.escalations)).toEqual(['1'])
})
