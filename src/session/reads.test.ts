import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { markRead } from '../bus/mail/inbox.ts'
import { sendMessage } from '../bus/mail/send.ts'
import type { Message } from '../message/message.ts'
import { filesIn, tempBus } from '../testing/home.ts'
import { handledCount, noteReads, readReads } from './reads.ts'

const bus = () => tempBus(['frontend'])
const send = (here: Bus, from = 'backend') =>
  sendMessage(here, { from, to: 'frontend', kind: 'note', body: 'ready' }).message
const note = (here: Bus, ...messages: Message[]) =>
  noteReads(
    here,
    'frontend',
    messages.map((message) => ({ message, approved: false })),
  )
const stored = (here: Bus) => JSON.parse(readFileSync(here.home.reads('frontend'), 'utf8'))
const count = (here: Bus) => handledCount(here, 'frontend')

/**
 * A session that has read messages with a version that kept no count: the last of them are in the
 * old form of the file.
 */
function fromBefore(here: Bus, read: number): Message[] {
  const messages = Array.from({ length: read }, () => send(here))
  for (const { id } of messages) markRead(here, 'frontend', id)
  const last = messages.map(({ id, chain }) => ({
    id,
    from: 'backend',
    kind: 'note',
    chain,
    hops: 0,
    at: 'x',
  }))
  writeFileSync(here.home.reads('frontend'), JSON.stringify(last.slice(-2)))
  return messages
}

describe('what a session has read', () => {
  test('is told oldest first, at most a hundred messages of it', () => {
    const here = bus()
    const messages = Array.from({ length: 130 }, () => send(here))
    note(here, ...messages.slice(0, 60))
    note(here, ...messages.slice(60))
    expect(readReads(here.home, 'frontend').map(({ id }) => id)).toEqual(
      messages.slice(30).map(({ id }) => id),
    )
    expect(count(here)).toBe(130)
  })

  test('is counted once, also where a reader was killed and it is shown again', () => {
    const here = bus()
    const [first, second] = [send(here), send(here)]
    note(here, first, second)
    markRead(here, 'frontend', first.id)
    note(here, second, send(here))
    expect(count(here)).toBe(3)
  })

  test('is counted without looking at what was read', () => {
    const here = bus()
    note(here, send(here), send(here))
    rmSync(here.home.readDirectory('frontend'), { recursive: true })
    expect(count(here)).toBe(2)
  })

  test('is nothing for who has read nothing, and nothing is written', () => {
    const here = bus()
    send(here)
    expect(count(here)).toBe(0)
    expect(filesIn(here.home.states)).toEqual([])
  })
})

describe('a file from a version that kept no count', () => {
  test('is read as it was', () => {
    const here = bus()
    const messages = fromBefore(here, 5)
    expect(readReads(here.home, 'frontend').map(({ id }) => id)).toEqual(
      messages.slice(-2).map(({ id }) => id),
    )
  })

  test('lets the count begin at what stands in read/, once', () => {
    const here = bus()
    fromBefore(here, 5)
    const last = readReads(here.home, 'frontend')
    expect(count(here)).toBe(5)
    expect(stored(here)).toEqual({ count: 5, last })
    writeFileSync(
      join(here.home.readDirectory('frontend'), '20261121T033912.123456Z-from-docs.md'),
      '',
    )
    expect(count(here)).toBe(5)
  })

  test('lets the next read count on from there', () => {
    const here = bus()
    fromBefore(here, 5)
    note(here, send(here), send(here))
    expect(stored(here).count).toBe(7)
    expect(readReads(here.home, 'frontend')).toHaveLength(4)
  })

  test('counts a message that was shown and not marked as read once', () => {
    const here = bus()
    const message = send(here)
    note(here, message)
    writeFileSync(here.home.reads('frontend'), JSON.stringify(readReads(here.home, 'frontend')))
    expect(count(here)).toBe(1)
    note(here, message)
    expect(count(here)).toBe(1)
  })
})

test.each([
  '',
  '{"torn',
  'null',
  '7',
  '"x"',
  '{}',
  '{"count": -1, "last": 7}',
  '{"count": "9"}',
  '{"count": 1.5}',
])('%j: nothing is remembered, and the count begins anew', (text) => {
  const here = bus()
  fromBefore(here, 3)
  writeFileSync(here.home.reads('frontend'), text)
  expect(readReads(here.home, 'frontend')).toEqual([])
  expect(count(here)).toBe(3)
  note(here, send(here))
  expect(count(here)).toBe(4)
})
