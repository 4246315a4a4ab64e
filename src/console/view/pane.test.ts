import { expect, test } from 'vitest'
import type { Entry } from '../model/entry.ts'
import { arrive, emptyRoom, look, note, type Room } from '../model/room.ts'
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

const lines = (room: Room, height: number, up = 0) =>
  panes
    .pane(room, { width: 40, height, up })
    .lines.map((line) => line.trim().replace(/.*note.*/, 'head'))

test('the end of the room, as much as there is room for', () => {
  expect(lines(roomOf(4), 3)).toEqual(['n2b', 'head', 't3'])
  expect(lines(roomOf(2), 9)).toEqual(['n0', 'n0b', 'head', 't1'])
  expect(lines(emptyRoom(), 5)).toEqual([])
})

test('further up, and no further than there is something', () => {
  expect(lines(roomOf(4), 3, 2)).toEqual(['t1', 'n2', 'n2b'])
  expect(panes.pane(roomOf(4), { width: 40, height: 3, up: 99 })).toMatchObject({ up: 5 })
  expect(lines(roomOf(4), 3, 99)).toEqual(['n0', 'n0b', 'head'])
})

test('the messages that any line of stands there', () => {
  const ids = (height: number, up = 0) => panes.pane(roomOf(6), { width: 40, height, up }).ids
  expect(ids(1)).toEqual(['m5'])
  expect(ids(12)).toEqual(['m1', 'm3', 'm5'])
  expect(ids(2, 5)).toEqual(['m3'])
  expect(ids(2, 2)).toEqual([])
})

test('the mark has a line before what is new', () => {
  const room = arrive(look(roomOf(2)), entry(2))
  const { lines: all } = panes.pane(room, { width: 20, height: 9, up: 0 })
  expect(all[4]).toBe('──── new ───────────')
})

test('what came below can be counted, and an entry brought to the top', () => {
  const room = roomOf(6)
  expect(panes.below(room, 3, 40)).toBe(4)
  expect(panes.below(room, 5, 40)).toBe(0)
  const up = panes.upTo(room, 2, { width: 40, height: 3 })
  expect(lines(room, 3, up)[0]).toBe('n2')
  expect(panes.upTo(room, 5, { width: 40, height: 30 })).toBe(0)
})

test('another width lays the same entries out anew', () => {
  const room = note(emptyRoom(), {
    type: 'notice',
    at: '',
    tone: 'error',
    text: 'one two three four',
  })
  expect(panes.pane(room, { width: 40, height: 5, up: 0 }).lines).toHaveLength(1)
  expect(panes.pane(room, { width: 6, height: 5, up: 0 }).lines).toHaveLength(4)
})
