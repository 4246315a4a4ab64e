import { expect, test } from 'vitest'
import { readTask } from '../../bus/index/tasks.ts'
import type { Draft } from '../../bus/mail/draft.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { unreadIds } from '../../bus/mail/unread.ts'
import { eventsOf, tempBus } from '../../testing/home.ts'
import { allHeld } from '../../trust/sendGate/held.ts'
import { sendAnswer, tellProgress } from './answer.ts'
import { lostOutcome } from './outcome.ts'

/** A task of somebody's for @researcher, and the worker's ports. */
function world(from: string, more: Partial<Draft> = {}) {
  const bus = tempBus(['backend', 'researcher'])
  const told: string[] = []
  const ports = {
    ...{ bus: () => bus, env: {}, notice: (text: string) => told.push(text) },
    self: { node: process.execPath, script: '/bin/true', root: '/' },
  }
  const task = sendMessage(bus, {
    ...{ from, to: 'researcher', kind: 'task', body: 'count' },
    ...more,
  }).message
  return { bus, ports, task, told }
}

test.each<[who: string, from: string, more: Partial<Draft>]>([
  ['you', 'human', {}],
  ['a schedule', 'human', { extra: { schedule: 'researcher.1', schedule_due: 'now' } }],
  ['another session', 'backend', {}],
  ['a session far down a chain', 'backend', { hops: 40 }],
])('a task of %s leaves one message, and its states are told', async (_, from, more) => {
  const { bus, ports, task, told } = world(from, more)
  const states: (string | undefined)[] = []
  for (const word of ['accepted', 'working', 'accepted'] as const) {
    await tellProgress(word, task, ports)
    states.push(readTask(bus.home, task.id)?.state)
  }
  expect(states).toEqual(['accepted', 'working', 'working'])
  expect([unreadIds(bus.home, from), unreadIds(bus.home, 'human'), told]).toEqual([[], [], []])
  expect(allHeld(bus)).toEqual([])
  const { message } = await sendAnswer(task, lostOutcome('it was late', ''), ports)
  expect(unreadIds(bus.home, from)).toEqual([message.id])
  expect(readTask(bus.home, task.id)?.state).toBe('failed')
  expect(eventsOf(bus.home, 'sent').map(({ kind }) => kind)).toEqual([
    'task',
    'note',
    'note',
    'result',
    ...(more.hops ? ['note'] : []),
  ])
})
