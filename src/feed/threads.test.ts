import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { markRead } from '../bus/mail/inbox.ts'
import { sendMessage } from '../bus/mail/send.ts'
import type { Message } from '../message/message.ts'
import { tempBus } from '../testing/home.ts'
import type { Need } from './need.ts'
import { openUnread, unreadThreads } from './threads.ts'

/** A message of the minute `at`, in the thread that `root` began. */
function message(at: number, from: string, root = at, more: Partial<Message> = {}): Message {
  const id = idAt(at, from)
  const timestamp = `2026-11-21T03:${String(at).padStart(2, '0')}:00.000Z`
  return {
    ...{ id, from, to: 'human', timestamp, kind: 'note', chain: id, hops: 0, extra: {} },
    ...{ thread: idAt(root, 'backend'), body: `text ${at}\nand more`, ...more },
  }
}

function idAt(minute: number, from: string): string {
  return `20261121T03${String(minute).padStart(2, '0')}00.000000Z-from-${from}`
}

const need = (id: string): Need => ({
  ...{ type: 'question', key: id, id, at: '', from: 'backend', title: '', text: '', options: [] },
})

test('nothing unread, no rows', () => {
  expect(unreadThreads([])).toEqual([])
})

test('one row a thread, the newest first, whatever order the messages come in', () => {
  const unread = [
    message(4, 'frontend', 1),
    message(1, 'backend'),
    message(5, 'tester', 5, { thread: idAt(5, 'tester'), subject: 'Nightly', kind: 'result' }),
    message(3, 'backend', 3),
    message(2, 'backend', 1),
  ]
  expect(unreadThreads(unread)).toEqual([
    {
      root: idAt(5, 'tester'),
      at: '2026-11-21T03:05:00.000Z',
      ...{ kind: 'result', title: 'Nightly', from: ['tester'], ids: [idAt(5, 'tester')] },
    },
    {
      root: idAt(1, 'backend'),
      at: '2026-11-21T03:04:00.000Z',
      ...{ kind: 'note', title: 'text 4', from: ['frontend', 'backend'] },
      ids: [idAt(1, 'backend'), idAt(2, 'backend'), idAt(4, 'frontend')],
    },
    {
      root: idAt(3, 'backend'),
      at: '2026-11-21T03:03:00.000Z',
      ...{ kind: 'note', title: 'text 3', from: ['backend'], ids: [idAt(3, 'backend')] },
    },
  ])
})

test('what needs you is in no row of these; the rest of its thread is', () => {
  const [first, asks, alone] = [message(1, 'backend'), message(2, 'backend', 1), message(3, 'b', 3)]
  const rows = unreadThreads([first, asks, alone], [need(asks.id), need(alone.id)])
  expect(rows.map(({ ids }) => ids)).toEqual([[first.id]])
})

test('more than 20 of one session in 10 minutes are one row more, which has them all', () => {
  const many = Array.from({ length: 25 }, (_, at) => {
    const second = `${idAt(1, 'tester').replace('0100.0', `01${10 + at}.0`)}`
    return { ...message(1, 'tester'), id: second, thread: second, body: `text ${at}` }
  })
  const rows = unreadThreads([...many, message(2, 'backend')])
  expect(rows.map(({ title }) => title).slice(0, 3)).toEqual([
    'text 2',
    '5 more from @tester',
    'text 19',
  ])
  expect(rows).toHaveLength(22)
  expect(rows[1]).toMatchObject({ folded: true, ids: many.slice(20).map(({ id }) => id) })
})

test('nothing that a terminal would obey is in a row', () => {
  const body = 'a\u001b[2Jb'
  const [row] = unreadThreads([message(1, 'b', 1, { body, kind: 'n\u0007', from: 'b\u001b[2J' })])
  expect(JSON.stringify(row)).not.toMatch(/\\u00(1b|07)/)
})

test('the inbox is read as it is now, a file that is no message left alone', () => {
  const bus = tempBus(['backend'])
  const send = (body: string) =>
    sendMessage(bus, { from: 'backend', to: 'human', kind: 'note', body }).message.id
  const unread = openUnread(bus)
  expect(unread()).toEqual([])
  const first = send('one')
  writeFileSync(bus.home.unread('human', idAt(1, 'backend')), 'no header')
  expect(unread().map(({ body }) => body)).toEqual(['one'])
  send('two')
  markRead(bus, 'human', first)
  expect(unread().map(({ body }) => body)).toEqual(['two'])
})
