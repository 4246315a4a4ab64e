import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sweepHome } from '../../doctor/sweep.ts'
import { formatId } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { serializeMessage } from '../../message/serialize.ts'
import { abroad, toWire } from '../../message/wire.ts'
import { eventsOf, filesIn, tempBus } from '../../testing/home.ts'
import { someMessage } from '../../testing/message.ts'
import { lastSent } from '../history.ts'
import { readTask } from '../index/tasks.ts'
import { receive } from '../remote/receive.ts'
import type { Draft } from './draft.ts'
import { fateOf, highestStage } from './fate.ts'
import { isDelivered } from './inbox.ts'
import { marksOf } from './marks.ts'
import { sendMessage } from './send.ts'
import { unreadIds } from './unread.ts'

/** A task of @backend's, and what @researcher says to it. */
function world() {
  const bus = tempBus(['backend', 'researcher'])
  const task = sendMessage(bus, {
    ...{ from: 'backend', to: 'researcher', kind: 'task', body: 'count' },
  }).message
  const say = (more: Partial<Draft> = {}, answered: Message | undefined = task) =>
    sendMessage(bus, {
      ...{ from: 'researcher', to: 'backend', kind: 'note', body: 'Accepted: count' },
      silent: { ring: 'quiet', why: 'it only reports progress' },
      ...more,
      inReplyTo: answered,
    }).message
  return { bus, task, say }
}

test('a state of a task is in its conversation and in the history, and nobody’s to read', () => {
  const { bus, task, say } = world()
  const state = () => readTask(bus.home, task.id)?.state
  const accepted = say({ extra: { task_state: 'accepted', progress: 'accepted' } })
  expect([state(), unreadIds(bus.home, 'backend')]).toEqual(['accepted', []])
  const working = say({ extra: { progress: 'working' } })
  expect([state(), unreadIds(bus.home, 'backend')]).toEqual(['working', []])
  const result = say({ kind: 'result', body: '3' })
  expect([state(), unreadIds(bus.home, 'backend')]).toEqual(['done', [result.id]])
  expect(lastSent(bus.home, 3).map(({ id, progress }) => [id, progress])).toEqual([
    [accepted.id, 'accepted'],
    [working.id, 'working'],
    [result.id, undefined],
  ])
  expect(eventsOf(bus.home, 'filed')).toMatchObject([
    { id: accepted.id, by: 'backend' },
    { id: working.id, by: 'backend' },
  ])
})

test('its receipts say that it was sent, and not that anybody has read it', () => {
  const { bus, say } = world()
  const { id, to } = say({ extra: { progress: 'working' } })
  const fate = fateOf(bus.home, id, to)
  expect([fate.place, highestStage(fate)]).toEqual(['filed', 'sent'])
  expect(fate.stages.map(({ stage }) => stage)).toEqual(['sent'])
  expect(eventsOf(bus.home, 'read')).toEqual([])
  expect(isDelivered(bus.home, { id, to })).toBe(true)
  expect(marksOf(bus.home, 'backend')).toEqual({})
})

const NO_STATES: [what: string, more: Partial<Draft>, answers: boolean][] = [
  ['an answer with words of its own', { extra: { task_state: 'accepted' } }, true],
  ['a result that says it', { kind: 'result', extra: { progress: 'working' } }, true],
  ['a note that answers nothing', { extra: { progress: 'working' } }, false],
  ['a word of a later version', { extra: { progress: 'stuck' } }, true],
  ['a list', { extra: { progress: ['working'] } }, true],
]
test.each(NO_STATES)('%s is a message like any other', (_, more, answers) => {
  const { bus, task, say } = world()
  const { id } = answers
    ? say(more, task)
    : sendMessage(bus, { from: 'researcher', to: 'backend', kind: 'note', body: 'x', ...more })
        .message
  expect(unreadIds(bus.home, 'backend')).toEqual([id])
  expect(eventsOf(bus.home, 'filed')).toEqual([])
})

test('one for another machine waits in the queue like any message', () => {
  const { bus, task, say } = world()
  const { id } = say({ to: 'backend.b', extra: { progress: 'working' } }, task)
  expect(filesIn(bus.home.out('b'))).toEqual([`${id}.md`])
  expect(eventsOf(bus.home, 'filed')).toEqual([])
  expect(fateOf(bus.home, id, 'backend.b').place).toBe('queued')
})

test('one from another machine is filed when it arrives', () => {
  const { bus } = world()
  const task = sendMessage(bus, {
    ...{ from: 'backend', to: 'researcher.a', kind: 'task', body: 'count' },
  }).message
  const id = formatId(bus.clock.micros(), 'researcher')
  const answered = abroad(task.id, 'b')
  const wire = toWire(
    someMessage({
      ...{ id, from: 'researcher', to: 'backend.b', kind: 'note' },
      ...{ inReplyTo: answered, thread: answered, extra: { progress: 'working' } },
    }),
    'a',
  )
  const ways = { me: 'b', peer: 'a', silence: () => undefined }
  const taken = receive(bus, { id: wire.id, text: serializeMessage(wire) }, ways)
  expect(taken).toMatchObject({ is: 'arrived', message: { extra: { progress: 'working' } } })
  expect(unreadIds(bus.home, 'backend')).toEqual([])
  expect(eventsOf(bus.home, 'filed')).toMatchObject([{ id: wire.id }])
  expect(receive(bus, { id: wire.id, text: serializeMessage(wire) }, ways)).toEqual({ is: 'again' })
})

test.each<[what: string, left: (line: string) => boolean, isLinked: boolean, states: string[]]>([
  ['before it was noted as filed', (line) => !line.includes('"filed"'), true, ['read-unrecorded']],
  [
    'before it was recorded at all',
    (line) => line.includes('"task"'),
    true,
    ['unrecorded', 'read-unrecorded'],
  ],
  ['before it was delivered', (line) => line.includes('"task"'), false, ['undelivered']],
])(
  'a worker killed %s: doctor finishes it, and nobody has read it',
  async (_, left, isLinked, states) => {
    const { bus, say } = world()
    const { id } = say({ extra: { progress: 'working' } })
    chmodSync(bus.home.sessions, 0o600)
    const lines = readFileSync(bus.home.history, 'utf8').split('\n').filter(left)
    writeFileSync(bus.home.history, `${lines.join('\n').trim()}\n`)
    if (!isLinked) rmSync(bus.home.read('backend', id))
    const later = () => Date.now() + 120_000
    const swept = { ...bus, clock: { now: later, micros: () => later() * 1000 } }
    const sweep = async () => (await sweepHome(swept, { mend: true })).map(({ state }) => state)
    expect((await sweep()).filter((state) => state !== 'unrung')).toEqual(states)
    expect(unreadIds(bus.home, 'backend')).toEqual([])
    await sweep()
    expect(await sweep()).toEqual([])
    expect(fateOf(bus.home, id, 'backend').place).toBe('filed')
    expect(eventsOf(bus.home, 'read')).toEqual([])
  },
)
