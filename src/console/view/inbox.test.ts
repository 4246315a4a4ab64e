import { expect, test } from 'vitest'
import type { Need } from '../../feed/need.ts'
import type { Message } from '../../message/message.ts'
import { emptyRoom, type Room } from '../model/room.ts'
import { createInbox } from './inbox.ts'
import { styleFor } from './style.ts'

const PLAIN = styleFor({ NO_COLOR: '1' })

const need = (key: string): Need => ({
  ...{ type: 'failed', key, name: key, at: '2026-11-21T03:00:00.000Z', why: 'so', answer: '' },
})

function message(at: number): Message {
  const id = `20261121T03${10 + at}00.000000Z-from-tester`
  return {
    ...{ id, from: 'tester', to: 'human', timestamp: '', kind: 'note', thread: id, chain: id },
    ...{ hops: 0, body: `text ${at}`, extra: {} },
  }
}

const room = (needs: string[], unread: number[] = []): Room => ({
  ...emptyRoom(),
  ...{ needs: needs.map(need), unread: unread.map(message) },
})

function opened() {
  const inbox = createInbox(PLAIN, () => Date.parse('2026-11-21T03:12:00.000Z'))
  const draw = (now: Room, height = 9, width = 80) => inbox.draw(now, { width, height }).lines
  return { ...inbox, show: draw, at: () => inbox.row()?.key }
}

test('how much there is, and a line a row, with the cursor and since when', () => {
  const { show } = opened()
  expect(show(room(['a', 'b'], [1]))).toEqual(
    [
      `── ▶ 2 need you · 1 unread ${'─'.repeat(53)}`,
      `▌▶ @a failed  so${' '.repeat(59)}  12m`,
      ` ▶ @b failed  so${' '.repeat(59)}  12m`,
      ` • @tester note  text 1`.padEnd(75),
    ].map((line, at) => (at === 3 ? line.padEnd(80) : line)),
  )
  expect(opened().show(room([]))[0]).toMatch(/^── nothing needs you · 0 unread ─/)
})

test('the cursor stays on its row, wherever that moves', () => {
  const inbox = opened()
  inbox.show(room(['b', 'c']))
  inbox.move(1)
  expect(inbox.at()).toBe('c')
  inbox.show(room(['a', 'b', 'd', 'c']))
  expect(inbox.at()).toBe('c')
})

test('where its row goes by itself it is on none, and j or k goes on from there', () => {
  for (const [by, key] of [
    [1, 'c'],
    [-1, 'a'],
  ] as const) {
    const inbox = opened()
    inbox.show(room(['a', 'b', 'c']))
    inbox.move(1)
    inbox.show(room(['a', 'c']))
    expect(inbox.at()).toBeUndefined()
    inbox.show(room(['a', 'c', 'd']))
    expect(inbox.at()).toBeUndefined()
    inbox.move(by)
    expect(inbox.at()).toBe(key)
  }
})

test('a row that was dealt with hands the cursor on, the last one to the one before', () => {
  const inbox = opened()
  inbox.show(room(['a', 'b', 'c']))
  for (const left of [['b', 'c'], ['c']]) {
    const row = inbox.row()
    if (row) inbox.done(row)
    inbox.show(room(left))
    expect(inbox.at()).toBe(left[0])
  }
  inbox.show(room(['a', 'c']))
  expect(inbox.at()).toBe('c')
  const last = inbox.row()
  if (last) inbox.done(last)
  inbox.show(room(['a']))
  expect(inbox.at()).toBe('a')
})

test('a question that was answered is an unread message for a moment, and the cursor goes on', () => {
  const inbox = opened()
  const { id } = message(1)
  const question: Need = {
    ...{ type: 'question', key: id, id, at: '', from: 'tester', title: '', text: '', options: [] },
  }
  const before = room(['a'], [1])
  inbox.show({ ...before, needs: [...before.needs, question] })
  inbox.move(1)
  const row = inbox.row()
  if (row) inbox.done(row)
  inbox.show(before)
  expect(inbox.at()).toBe(`thread ${id}`)
  inbox.show(room(['a']))
  expect(inbox.at()).toBe('a')
})

test('an empty inbox gives the cursor to what comes first', () => {
  const inbox = opened()
  inbox.show(room(['a']))
  inbox.show(room([]))
  expect(inbox.at()).toBeUndefined()
  inbox.show(room(['b', 'c']))
  expect(inbox.at()).toBe('b')
})

test('a row that is open stays in its place until it is closed', () => {
  const inbox = opened()
  inbox.show(room([], [1, 2, 3]))
  inbox.move(1)
  inbox.keep(inbox.row())
  const key = inbox.at()
  expect(inbox.show(room([], [1, 3])).map((line) => line.includes('text 2'))).toEqual([
    ...[false, false, true, false],
  ])
  expect(inbox.at()).toBe(key)
  inbox.keep(undefined)
  expect(inbox.show(room([], [1, 3])).join('\n')).not.toContain('text 2')
  expect(inbox.row()?.thread?.title).toBe('text 1')
})

test('a need that was open and goes by itself hands the cursor to no other', () => {
  const inbox = opened()
  inbox.show(room(['a', 'b']))
  inbox.keep(inbox.row())
  inbox.keep(undefined)
  inbox.show(room(['b']))
  expect(inbox.at()).toBeUndefined()
})

test('more rows than there is room for: the cursor is always among them', () => {
  const inbox = opened()
  const many = room(Array.from({ length: 20 }, (_, at) => `n${at}`))
  expect(inbox.show(many, 6)[0]).toContain('▶ 20 need you · 0 unread · 15 more: j k')
  inbox.edge(1)
  expect(inbox.show(many, 6).at(-1)).toMatch(/^▌▶ @n19/)
  for (let count = 0; count < 7; count += 1) inbox.move(-1)
  expect(inbox.show(many, 6)[1]).toMatch(/^▌▶ @n12/)
  inbox.edge(-1)
  inbox.move(-1)
  expect(inbox.show(many, 6)[1]).toMatch(/^▌▶ @n0/)
})

test('a filter says so, and counts all that needs you', () => {
  const inbox = opened()
  inbox.find('n1')
  const [title, first] = inbox.show(room(['n0', 'n1'], [1]))
  expect(title).toContain('▶ 2 need you · 1 unread · only n1')
  expect(first).toMatch(/^▌▶ @n1/)
})
