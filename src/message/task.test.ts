import { describe, expect, test } from 'vitest'
import { someMessage } from '../testing/message.ts'
import { formatId } from './id.ts'
import type { Message } from './message.ts'
import { endsTask, isOpenTask, TASK_STATES, taskFrom } from './task.ts'

const START = Date.parse('2026-11-21T03:39:12.000Z')

/** A message of the conversation, `second` seconds after its beginning. */
function at(second: number, from: string, fields: Partial<Message> = {}): Message {
  const ms = START + second * 1000
  const to = from === 'backend' ? 'frontend' : 'backend'
  return someMessage({
    id: formatId(ms * 1000, from),
    from,
    to,
    timestamp: new Date(ms).toISOString(),
    thread: TASK_ID,
    kind: 'reply',
    ...fields,
  })
}

const TASK_ID = formatId(START * 1000, 'backend')
const TASK = at(0, 'backend', { kind: 'task' })

/** What frontend, who has the task, says in answer to it. */
const says = (second: number, word: string, kind = 'note') =>
  at(second, 'frontend', { inReplyTo: TASK_ID, kind, extra: { task_state: word } })
const more = (second: number, fields: Partial<Message> = {}) =>
  at(second, 'frontend', { kind: 'note', ...fields })
const result = (second: number) => at(second, 'frontend', { kind: 'result', inReplyTo: TASK_ID })

type Row = [what: string, thread: Message[], state: string, since: number, endedBy?: number]

const ROWS: Row[] = [
  ['nothing was said', [], 'sent', 0],
  ['it was accepted', [says(1, 'accepted')], 'accepted', 1],
  ['it was accepted twice', [says(1, 'accepted'), says(2, 'accepted')], 'accepted', 1],
  ['it was accepted, and more was said', [says(1, 'accepted'), more(2)], 'working', 2],
  ['and more again', [says(1, 'accepted'), more(2), more(3)], 'working', 2],
  ['an answer in words before it was accepted', [more(1, { inReplyTo: TASK_ID })], 'sent', 0],
  ['words first, then accepted', [more(1), says(2, 'accepted')], 'accepted', 2],
  [
    'a question back after it was accepted',
    [says(1, 'accepted'), more(2, { kind: 'question' })],
    'working',
    2,
  ],
  [
    'accepted again while it is worked on',
    [says(1, 'accepted'), more(2), says(3, 'accepted')],
    'working',
    2,
  ],
  ['it was declined', [says(1, 'declined', 'reply')], 'declined', 1, 1],
  [
    'accepted, then declined',
    [says(1, 'accepted'), says(2, 'declined', 'reply')],
    'declined',
    2,
    2,
  ],
  ['done without having been accepted', [says(1, 'done', 'result')], 'done', 1, 1],
  ['accepted and done', [says(1, 'accepted'), says(2, 'done', 'result')], 'done', 2, 2],
  ['failed', [says(1, 'accepted'), more(2), says(3, 'failed', 'result')], 'failed', 3, 3],
  ['a plain result', [says(1, 'accepted'), result(2)], 'done', 2, 2],
  ['a result that only says accepted', [says(1, 'accepted', 'result')], 'accepted', 1],
  [
    'the first end counts',
    [says(1, 'failed', 'result'), says(2, 'done', 'result'), result(3)],
    'failed',
    1,
    1,
  ],
  [
    'nothing after the end',
    [says(1, 'declined', 'reply'), says(2, 'accepted'), more(3)],
    'declined',
    1,
    1,
  ],
  ['a word of a later version', [says(1, 'accepted'), says(2, 'paused')], 'accepted', 1],
  [
    'a word that is no text',
    [more(1, { inReplyTo: TASK_ID, extra: { task_state: ['done'] } })],
    'sent',
    0,
  ],
  [
    'what others say',
    [
      at(1, 'backend', { inReplyTo: TASK_ID, kind: 'result', extra: { task_state: 'done' } }),
      at(2, 'docs', { inReplyTo: TASK_ID, kind: 'result', extra: { task_state: 'failed' } }),
    ],
    'sent',
    0,
  ],
  [
    'how another task of the conversation stands',
    [
      says(1, 'accepted'),
      more(2, {
        inReplyTo: formatId((START + 500) * 1000, 'backend'),
        kind: 'result',
        extra: { task_state: 'done' },
      }),
      more(3, { inReplyTo: formatId((START + 500) * 1000, 'backend'), kind: 'result' }),
      more(4, {
        inReplyTo: formatId((START + 500) * 1000, 'backend'),
        extra: { task_state: 'accepted' },
      }),
    ],
    'accepted',
    1,
  ],
  ['what was said before the task', [more(-2), more(-1)], 'sent', 0],
  ['an end from a clock that was set back', [says(-5, 'done', 'result')], 'done', -5, -5],
]

describe('the state of a task', () => {
  test.each(ROWS)('%s', (_, thread, state, since, endedBy) => {
    const said = [...thread, TASK].sort((a, b) => (a.id < b.id ? -1 : 1))
    const ended = thread.find(
      ({ timestamp }) => endedBy !== undefined && Date.parse(timestamp) - START === endedBy * 1e3,
    )
    expect(taskFrom(TASK, said)).toEqual({
      message: TASK,
      state,
      since: new Date(START + since * 1000).toISOString(),
      ...(endedBy === undefined ? {} : { result: ended }),
    })
    expect(isOpenTask(taskFrom(TASK, said).state)).toBe(endedBy === undefined)
  })

  test('every state is met above', () => {
    expect([...new Set(ROWS.map(([, , state]) => state))].sort()).toEqual([...TASK_STATES].sort())
  })
})

describe('a message that ends a task', () => {
  const alone = ROWS.filter(([, thread]) => thread.length === 1)

  test.each(alone)('by itself: %s', (_, [message], __, ___, endedBy) => {
    expect(endsTask(TASK, message as Message)).toBe(endedBy !== undefined)
  })

  test('ends that one alone, and nothing that is no task', () => {
    expect(endsTask({ ...TASK, kind: 'question' }, result(1))).toBe(false)
    expect(endsTask({ ...TASK, id: formatId(1, 'backend') }, result(1))).toBe(false)
    expect(endsTask({ ...TASK, to: 'docs' }, result(1))).toBe(false)
  })
})
