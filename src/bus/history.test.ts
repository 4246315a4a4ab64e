import { appendFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { eventsOf, tempBus } from '../testing/home.ts'
import { someMessage } from '../testing/message.ts'
import { eventsFromEnd, lastSent, record, sentFields } from './history.ts'

const sent = (body: string, from = 'backend', to = 'frontend') =>
  sentFields(someMessage({ body, from, to }))
const previews = (events: { preview: string }[]) => events.map(({ preview }) => preview)

describe('the history', () => {
  test('gives the last messages, oldest first, between other events', () => {
    const bus = tempBus()
    for (const body of ['one', 'two', 'three']) {
      record(bus, 'sent', sent(body))
      record(bus, 'read', { id: 'x', by: 'frontend' })
    }
    expect(previews(lastSent(bus.home, 2))).toEqual(['two', 'three'])
    expect(previews(lastSent(bus.home, 20))).toEqual(['one', 'two', 'three'])
    expect(lastSent(bus.home, 0)).toEqual([])
  })

  test('with a name, counts only messages from or to that session', () => {
    const bus = tempBus()
    record(bus, 'sent', sent('mine', 'docs', 'backend'))
    record(bus, 'sent', sent('to me', 'backend', 'docs'))
    for (let count = 0; count < 30; count += 1) record(bus, 'sent', sent('other'))
    expect(previews(lastSent(bus.home, 2, ({ from, to }) => [from, to].includes('docs')))).toEqual([
      'mine',
      'to me',
    ])
  })

  test('a line that a crash cut is passed over, and the next one stands on its own', () => {
    const bus = tempBus()
    record(bus, 'sent', sent('one'))
    appendFileSync(bus.home.history, '{"at":"2026-11-21T03:39:12.123Z","event":"sent","id":"2026')
    record(bus, 'sent', sent('two'))
    expect(previews(lastSent(bus.home, 20))).toEqual(['one', 'two'])
    expect(eventsOf(bus.home)).toHaveLength(2)
  })

  test('lines that are no events are passed over', () => {
    const bus = tempBus()
    writeFileSync(
      bus.home.history,
      '\n\nhello\n[]\nnull\n7\n{}\n{"event":7,"at":"x"}\n{"event":"sent","at":"x"}\n\0\0\n',
    )
    record(bus, 'sent', sent('one'))
    expect(previews(lastSent(bus.home, 20))).toEqual(['one'])
    expect([...eventsFromEnd(bus.home)].map(({ event }) => event)).toEqual(['sent', 'sent'])
  })

  test('a body of many lines makes one line', () => {
    const bus = tempBus()
    record(bus, 'sent', sent('a\nb\r\u2028c\u001b[2J'))
    expect(eventsOf(bus.home)).toHaveLength(1)
    expect(previews(lastSent(bus.home, 1))).toEqual(['a\nb\r\u2028c\u001b[2J'])
  })

  test('no history is no messages', () => expect(lastSent(tempBus().home, 20)).toEqual([]))
})
