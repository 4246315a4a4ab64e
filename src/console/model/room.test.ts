import { expect, test } from 'vitest'
import type { Entry, MessageEntry } from '../../chat/live/entry.ts'
import {
  addresseeOf,
  advance,
  arrive,
  emptyRoom,
  FORGET,
  look,
  MAX_ENTRIES,
  nextNumber,
  note,
  numberOf,
  type Room,
  rename,
} from './room.ts'

const OWN = '20261121T033912.123456Z-from-human'
const OTHER = '20261121T033913.123456Z-from-backend'

function message(id: string): MessageEntry {
  return { type: 'message', id, at: '', from: 'x', to: 'y', kind: 'note', text: id, more: 0 }
}

function event(text: string): Entry {
  return { type: 'notice', at: '', tone: 'event', text }
}

function after(...steps: ((room: Room) => Room)[]): Room {
  return steps.reduce((room, step) => step(room), emptyRoom())
}

const comes = (text: string) => (room: Room) => arrive(room, event(text))

test('the mark stands before the first that came since the human looked', () => {
  const room = after(comes('a'), look, comes('b'), comes('c'))
  expect([room.mark, room.fresh]).toEqual([1, 2])
  const looked = look(room)
  expect([looked.mark, looked.fresh]).toEqual([1, 0])
  expect(arrive(looked, event('d'))).toMatchObject({ mark: 3, fresh: 1 })
})

test('what answers the human is not new', () => {
  const room = after(comes('a'), look, (before) => note(before, event('b')))
  expect([room.mark, room.fresh]).toEqual([0, 0])
})

test('the same error again counts at the line that says so', () => {
  const error: Entry = { type: 'notice', at: '', tone: 'error', text: 'no @x' }
  const twice = after(...[error, error].map((entry) => (room: Room) => note(room, entry)))
  expect(twice.entries).toEqual([{ ...error, count: 2 }])
  expect(note(note(twice, event('a')), error).entries).toHaveLength(3)
})

test('a look at nothing new changes nothing', () => {
  const room = emptyRoom()
  expect(look(room)).toBe(room)
})

test('the oldest are forgotten, and the others keep their numbers', () => {
  let room = emptyRoom()
  for (let count = 0; count < MAX_ENTRIES + 5; count += 1) room = note(room, message(`m${count}`))
  expect([room.entries.length, room.forgotten, nextNumber(room)]).toEqual([
    MAX_ENTRIES + 5 - FORGET,
    FORGET,
    MAX_ENTRIES + 5,
  ])
  expect([numberOf(room, 'm107'), numberOf(room, 'm3')]).toEqual([107, undefined])
})

test('a message of the human’s goes further and never back; those of others are left alone', () => {
  const room = [OWN, OTHER].map(message).reduce(note, emptyRoom())
  const read = advance(advance(room, [OWN, OTHER], 'read'), [OWN], 'rung')
  expect(read.entries.map((entry) => entry.type === 'message' && entry.stage)).toEqual([
    'read',
    undefined,
  ])
  expect(read.entries[1]).toBe(room.entries[1])
  expect(advance(room, ['unknown-from-human'], 'read')).toBe(room)
})

const SOMEBODY = { state: 'idle', since: '', unread: 0, held: 0, doing: '', cwd: '' }

test.each([
  [undefined, [], undefined],
  [undefined, ['backend'], 'backend'],
  [undefined, ['backend', 'frontend'], undefined],
  ['frontend', ['backend'], 'frontend'],
])('after %s, with %j there, it goes to %s', (addressee, names, to) => {
  const people = names.map((name) => ({ ...SOMEBODY, name }))
  expect(addresseeOf({ ...emptyRoom(addressee), people })).toBe(to)
})

test('a session that is renamed is still written to', () => {
  expect(rename(emptyRoom('backend'), 'backend', 'payments').addressee).toBe('payments')
  expect(rename(emptyRoom('backend'), 'frontend', 'web').addressee).toBe('backend')
})

test('the same refusal again counts at its line; another, or anything between, is a new one', () => {
  const refused = {
    type: 'notice',
    at: '',
    tone: 'event',
    text: 'refused',
    detail: 'no work',
  } as const
  let room = [refused, refused, refused].reduce<Room>(arrive, emptyRoom())
  expect([room.entries, room.fresh]).toEqual([[{ ...refused, count: 3 }], 1])
  room = arrive(arrive(room, { ...refused, text: 'another' }), refused)
  expect(room.entries).toHaveLength(3)
})
