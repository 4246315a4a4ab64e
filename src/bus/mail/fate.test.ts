import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../message/message.ts'
import { tempBus } from '../../testing/home.ts'
import type { Bus } from '../bus.ts'
import { record, sentFields } from '../history.ts'
import { fateOf, highestStage } from './fate.ts'
import { markRead } from './inbox.ts'
import { sendMessage } from './send.ts'

const bus = () => tempBus(['backend', 'frontend', 'docs'])

const ask = (bus: Bus, to = 'frontend') =>
  sendMessage(bus, { from: 'backend', to, kind: 'question', body: 'why?' }).message

const answer = (bus: Bus, question: Message, from = 'frontend') =>
  sendMessage(bus, { from, to: 'backend', kind: 'reply', body: 'because', inReplyTo: question })
    .message

const stagesOf = (bus: Bus, { id, to }: Message) =>
  fateOf(bus.home, id, to).stages.map(({ stage }) => stage)
const highest = (bus: Bus, { id, to }: Message) => highestStage(fateOf(bus.home, id, to))

describe('a message that was answered', () => {
  test('says when, and by which message, each time', () => {
    const here = bus()
    const question = ask(here)
    const first = answer(here, question)
    expect(fateOf(here.home, question.id, 'frontend')).toEqual({
      place: 'unread',
      stages: [
        { stage: 'sent', at: expect.any(String) },
        { stage: 'answered', at: expect.any(String), by: first.id },
      ],
    })
    const second = answer(here, question)
    const by = fateOf(here.home, question.id, 'frontend').stages.map((stage) => stage.by)
    expect(by).toEqual([undefined, first.id, second.id])
  })

  test('has come further than one that was read, whichever is told last', () => {
    const here = bus()
    const question = ask(here)
    expect(highest(here, question)).toBe('sent')
    markRead(here, 'frontend', question.id)
    expect(highest(here, question)).toBe('read')
    answer(here, question)
    expect(highest(here, question)).toBe('answered')
    record(here, 'presented', { id: question.id })
    expect(stagesOf(here, question)).toEqual(['sent', 'read', 'answered', 'presented'])
    expect(highest(here, question)).toBe('answered')
  })

  test('was answered by the one who was asked: nobody else’s words count, nor what was said to another message', () => {
    const here = bus()
    const question = ask(here)
    const other = ask(here)
    answer(here, question, 'docs')
    sendMessage(here, {
      from: 'backend',
      to: 'frontend',
      kind: 'reply',
      body: 'I mean …',
      inReplyTo: question,
    })
    answer(here, other)
    sendMessage(here, { from: 'frontend', to: 'backend', kind: 'note', body: 'by the way' })
    expect(stagesOf(here, question)).toEqual(['sent'])
    expect(highest(here, question)).toBe('sent')
  })

  test('is told as answered, too, where doctor told of it later than its answer', () => {
    const here = bus()
    const question = ask(here)
    rmSync(here.home.history)
    answer(here, question)
    record(here, 'sent', { ...sentFields(question), mended: true })
    expect(stagesOf(here, question)).toEqual(['answered', 'sent'])
    expect(highest(here, question)).toBe('answered')
  })
})

describe('events out of order', () => {
  test('a message that was read before its sender noted it is told as sent, then read', () => {
    const here = bus()
    const question = ask(here)
    markRead(here, 'frontend', question.id)
    const [sent, read] = readFileSync(here.home.history, 'utf8').trim().split('\n')
    writeFileSync(here.home.history, `${read}\n${sent}\n`)
    expect(stagesOf(here, question)).toEqual(['sent', 'read'])
  })

  test('the history is read back to where the id was made, no further', () => {
    const here = bus()
    const question = ask(here)
    const told = readFileSync(here.home.history, 'utf8')
    const old = (event: string, id: string) =>
      `${JSON.stringify({ at: '2020-01-01T00:00:00.000Z', event, id })}\n`
    writeFileSync(here.home.history, old('read', question.id) + old('read', 'other') + told)
    expect(stagesOf(here, question)).toEqual(['sent'])
  })
})
