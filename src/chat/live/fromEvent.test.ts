import { describe, expect, test } from 'vitest'
import type { HistoryEvent } from '../../bus/history.ts'
import { escalationFields } from '../../message/escalation.ts'
import { someMessage } from '../../testing/message.ts'
import { entryOfEvent, entryOfMessage, stageOf } from './fromEvent.ts'

const HOSTILE = 'a\u001b[2J\u0007\u009b31m\u202eb\nc\td'
const SENT: HistoryEvent = {
  at: '2026-11-21T03:39:12.123Z',
  event: 'sent',
  id: '20261121T033912.123456Z-from-backend',
  from: 'backend',
  to: 'frontend',
  kind: 'handover',
  preview: 'ready',
}

describe('what the history tells', () => {
  test('of a message', () => {
    expect(entryOfEvent(SENT)).toEqual({
      type: 'message',
      id: SENT.id,
      at: SENT.at,
      from: 'backend',
      to: 'frontend',
      kind: 'handover',
      text: 'ready',
      more: 0,
    })
  })

  test('of one that is held, urgent, and has a subject', () => {
    const entry = entryOfEvent({
      ...SENT,
      subject: 'API',
      ring: 'held',
      why: '4 messages',
      priority: 'urgent',
    })
    expect(entry).toMatchObject({ subject: 'API', held: '4 messages', kind: 'urgent handover' })
  })

  test('of a state of a task, in whichever way it comes', () => {
    expect(entryOfEvent({ ...SENT, kind: 'note', progress: 'working' })).toMatchObject({
      progress: true,
    })
    const answer = { kind: 'note', inReplyTo: SENT.id as string, extra: { progress: 'accepted' } }
    expect(entryOfMessage(someMessage(answer)).progress).toBe(true)
    expect(entryOfMessage(someMessage({ ...answer, kind: 'reply' })).progress).toBeUndefined()
  })

  test.each<[Partial<HistoryEvent>, string]>([
    [{ event: 'joined', name: 'backend' }, '@backend is here'],
    [{ event: 'left', name: 'backend' }, '@backend has left'],
    [
      { event: 'ended', name: 'backend', code: 1, signal: null },
      'the agent of @backend has ended (exit code 1)',
    ],
    [
      { event: 'ended', name: 'backend', code: 143, signal: null, stopped: true },
      '@backend was stopped by you',
    ],
    [
      { event: 'ended', name: 'backend', code: null, signal: 'SIGKILL' },
      'the agent of @backend has ended (SIGKILL)',
    ],
    [
      { event: 'refused', name: 'backend', to: 'human', rule: 'work gate', reason: 'no work' },
      '@backend → you · refused (work gate)',
    ],
    [{ event: 'paused' }, 'notifications paused (agent-chat unpause turns them on)'],
  ])('%j', (event, text) => {
    expect(entryOfEvent({ at: '', event: '', ...event })).toMatchObject({
      type: 'notice',
      tone: 'event',
      text,
    })
  })

  test.each(['read', 'rung', 'told', 'held', 'of a later version'])('nothing of %s', (event) => {
    expect(entryOfEvent({ at: '', event })).toBeUndefined()
  })

  test.each<[Partial<HistoryEvent>, ReturnType<typeof stageOf>]>([
    [
      { event: 'rung', ids: ['a', 'b', 7] },
      { stage: 'rung', ids: ['a', 'b'] },
    ],
    [
      { event: 'read', id: 'a' },
      { stage: 'read', ids: ['a'] },
    ],
    [{ event: 'read' }, { stage: 'read', ids: [] }],
    [{ event: 'sent', id: 'a' }, undefined],
  ])('how far %j', (event, stage) => {
    expect(stageOf({ at: '', event: '', ...event })).toEqual(stage)
  })
})

describe('a message', () => {
  test('shows what a terminal would obey, in whatever field', () => {
    const entry = entryOfMessage(
      someMessage({
        kind: HOSTILE,
        subject: HOSTILE,
        body: HOSTILE,
        extra: escalationFields(3, [HOSTILE]),
      }),
      { ring: 'held', why: HOSTILE, chain: 'x', at: '' },
    )
    expect(JSON.stringify(entry)).not.toMatch(/\\u001b|\\u0007|\\u009b|\u009b|\u202e/)
    expect(entry).toMatchObject({
      text: 'a^[[2J^G<U+009B>31m<U+202E>b\nc    d',
      more: 0,
      decision: { number: 3 },
    })
    const event = entryOfEvent({
      ...SENT,
      preview: HOSTILE,
      subject: HOSTILE,
      kind: HOSTILE,
      ring: 'held',
      why: HOSTILE,
    })
    expect(JSON.stringify(event)).not.toMatch(/\\u001b|\\u0007|\\n|\u009b|\u202e/)
    const forged = entryOfEvent({ ...SENT, from: HOSTILE, to: HOSTILE, id: HOSTILE })
    expect(JSON.stringify(forged)).not.toMatch(/\\u001b|\\u0007|\\n|\u009b|\u202e/)
    const said = entryOfEvent({
      at: '',
      event: 'refused',
      name: HOSTILE,
      reason: HOSTILE,
      rule: HOSTILE,
    })
    expect(JSON.stringify(said)).not.toMatch(/\\u001b|\\u0007|\\n|\u009b|\u202e/)
  })

  test('is cut at a line, and says how many are left', () => {
    const body = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n')
    const { text, more } = entryOfMessage(someMessage({ body }))
    expect([text.split('\n').length, more]).toEqual([60, 40])
  })

  test('of one endless line is cut, too', () => {
    const { text, more } = entryOfMessage(someMessage({ body: 'x'.repeat(200_000) }))
    expect([text.length < 9000, more]).toEqual([true, 1])
  })
})
