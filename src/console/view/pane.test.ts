import { expect, test } from 'vitest'
import type { Entry } from '../../chat/live/entry.ts'
import { arrive, emptyRoom, note, type Room } from '../model/room.ts'
import { createPanes } from './pane.ts'
import { styleFor } from './style.ts'

const panes = createPanes(styleFor({ NO_COLOR: '1' }), () => 0)

/** A room with so many entries of two lines each, a message every second time. */
function roomOf(count: number): Room {
  let room = emptyRoom()
  for (let at = 0; at < count; at += 1) room = note(room, entry(at))
  return room
}

function entry(at: number): Entry {
  if (at % 2 === 0) return { type: 'notice', at: '', tone: 'answer', text: `n${at}\nn${at}b` }
  return {
    type: 'message',
    id: `m${at}`,
    at: '',
    from: 'a',
    to: 'b',
    kind: 'note',
    text: `t${at}`,
    more: 0,
  }
}

const look = (height: number, width = 40) => ({ width, height, shows: () => true })

const lines = (room: Room, height: number, up = 0) =>
  panes.pane(room, look(height), up).lines.map((line) => line.trim().replace(/.*note.*/, 'head'))

test('the end of the room, as much as there is room for', () => {
  expect(lines(roomOf(4), 3)).toEqual(['n2b', 'head', 't3'])
  expect(lines(roomOf(2), 9)).toEqual(['n0', 'n0b', 'head', 't1'])
  expect(lines(emptyRoom(), 5)).toEqual([])
})

test('further up, and no further than there is something', () => {
  expect(lines(roomOf(4), 3, 2)).toEqual(['t1', 'n2', 'n2b'])
  expect(panes.pane(roomOf(4), look(3), 99)).toMatchObject({ up: 5 })
  expect(lines(roomOf(4), 3, 99)).toEqual(['n0', 'n0b', 'head'])
})

test('the messages that any line of stands there', () => {
  const ids = (height: number, up = 0) => panes.pane(roomOf(6), look(height), up).ids
  expect(ids(1)).toEqual(['m5'])
  expect(ids(12)).toEqual(['m1', 'm3', 'm5'])
  expect(ids(2, 5)).toEqual(['m3'])
  expect(ids(2, 2)).toEqual([])
})

test('the mark has a line before what is new', () => {
  const room = arrive(roomOf(2), entry(2))
  const { lines: all } = panes.pane(room, look(9, 20), 0)
  expect(all[4]).toBe(' ──── new ──────────')
})

test('what came below can be counted, and an entry brought to the top', () => {
  const room = roomOf(6)
  expect(panes.below(room, 3, look(9))).toBe(4)
  expect(panes.below(room, 5, look(9))).toBe(0)
  const up = panes.upTo(room, 2, look(3))
  expect(lines(room, 3, up)[0]).toBe('n2')
  expect(panes.upTo(room, 5, look(30))).toBe(0)
})

test('another width lays the same entries out anew', () => {
  const room = note(emptyRoom(), {
    type: 'notice',
    at: '',
    tone: 'error',
    text: 'one two three four',
  })
  expect(panes.pane(room, look(5), 0).lines).toHaveLength(1)
  expect(panes.pane(room, look(5, 6), 0).lines).toHaveLength(4)
})

test('the cursor has a column of its own, and an entry that is not shown no line', () => {
  const room = roomOf(4)
  const shows = (one: Entry) => one.type === 'message'
  const pane = panes.pane(room, { ...look(9), shows, cursor: 1 }, 0)
  expect(pane.numbers).toEqual([1, 1, 3, 3])
  expect(pane.lines.map((line) => line[0])).toEqual(['▌', '▌', ' ', ' '])
  expect(panes.next(room, 2, 1, { ...look(9), shows })).toBe(3)
  expect(panes.next(room, 0, -1, { ...look(9), shows })).toBeUndefined()
})
