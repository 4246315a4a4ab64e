import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { ensureInbox } from '../../bus/home.ts'
import { beginAsk, endAsk, noteAsk } from '../../bus/index/asks.ts'
import { nextEscalation } from '../../bus/index/escalations.ts'
import type { Draft } from '../../bus/mail/draft.ts'
import { markRead } from '../../bus/mail/inbox.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { HUMAN } from '../../message/name.ts'
import { tempBus } from '../../testing/home.ts'
import { putInInbox } from '../../testing/message.ts'
import { changeLedger } from './ledger.ts'
import { questionsToHuman } from './questions.ts'

const bus = () => tempBus(['frontend', 'backend'])
const ask = (here: Bus, fields: Partial<Draft> = {}) =>
  sendMessage(here, { from: 'backend', to: HUMAN, kind: 'question', body: 'why?', ...fields })
    .message
const open = (here: Bus) => questionsToHuman(here).map(({ id }) => id)

describe('a question to the human', () => {
  test('is open while it is unread; notes and questions to others are none', () => {
    const here = bus()
    const ids = [ask(here).id, ask(here, { from: 'frontend' }).id]
    ask(here, { kind: 'note' })
    ask(here, { to: 'frontend' })
    expect(open(here)).toEqual(ids)
  })

  test('that was read is open as long as its session has it open', () => {
    const here = bus()
    const { id } = ask(here)
    changeLedger(here, 'backend', (ledger) => ({
      ...ledger,
      questions: { [HUMAN]: { id, at: '2026-11-21T03:39:12Z' } },
    }))
    markRead(here, HUMAN, id)
    expect(open(here)).toEqual([id])
    changeLedger(here, 'backend', (ledger) => ({ ...ledger, questions: {} }))
    expect(open(here)).toEqual([])
  })

  test('that was read is open as long as a command waits for its answer', () => {
    const here = bus()
    beginAsk(here, 'backend', HUMAN, null)
    const { id } = ask(here)
    expect(open(here)).toEqual([id])
    noteAsk(here, { waiter: here.processes.self(), from: 'backend', to: HUMAN, id })
    markRead(here, HUMAN, id)
    expect(open(here)).toEqual([id])
    endAsk(here)
    expect(open(here)).toEqual([])
  })

  test('that is a decision is open until it was answered, read or not', () => {
    const here = bus()
    const { number } = nextEscalation(here.home)
    const question = ask(here)
    writeFileSync(here.home.escalation(number), `${question.id}\n`)
    nextEscalation(here.home)
    markRead(here, HUMAN, question.id)
    expect(open(here)).toEqual([question.id])
    sendMessage(here, { from: HUMAN, to: 'backend', kind: 'reply', body: '1', inReplyTo: question })
    expect(open(here)).toEqual([])
  })

  test('is closed by an answer of the human alone', () => {
    const here = bus()
    const question = ask(here)
    sendMessage(here, {
      from: 'frontend',
      to: 'backend',
      kind: 'reply',
      body: 'because',
      inReplyTo: question,
    })
    expect(open(here)).toEqual([question.id])
    sendMessage(here, {
      from: HUMAN,
      to: 'backend',
      kind: 'reply',
      body: 'because',
      inReplyTo: question,
    })
    expect(open(here)).toEqual([])
  })

  test('that is no message, or gone from the archive, is none', () => {
    const here = bus()
    ensureInbox(here.home, HUMAN)
    putInInbox(here.home, HUMAN, '20261121T033912.123456Z-from-backend.md', 'no header')
    changeLedger(here, 'backend', (ledger) => ({
      ...ledger,
      questions: { [HUMAN]: { id: '../../sessions', at: '2026-11-21T03:39:12Z' } },
    }))
    expect(open(here)).toEqual([])
  })
})
