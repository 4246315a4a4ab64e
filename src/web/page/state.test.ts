import { describe, expect, test } from 'vitest'
import type { Need } from '../../feed/need.ts'
import type { MessageRow, Room, Row } from '../wire.ts'
import {
  answer,
  EMPTY,
  feedRows,
  placeOf,
  restarts,
  type State,
  shown,
  withNow,
  withOlder,
  withRoom,
  withRows,
} from './state.ts'

const row = (id: string): MessageRow => ({
  ...{ type: 'message', id, at: id, from: 'a', to: 'b', kind: 'note', text: id },
  ...{ thread: id, chain: id },
})
const room = (ids: string[], next: string | null = null): Room => ({
  ...{ needs: [], people: [], paused: false, unread: [], unseen: [], gone: null },
  ...{ rows: ids.map(row), next, home: '/h', version: '1', place: '1-1', beat: 1 },
})
const held = (key: string): Need => ({
  ...{ type: 'held', key, chain: key, at: '', to: [], count: 1, why: '' },
})
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).join('')
const begun = withRoom(EMPTY, room(['c', 'b', 'a'], 'older'))

describe('rows', () => {
  test('new ones wait, newest first, each once', () => {
    const state = withRows(withRows(begun, [row('d'), row('e'), row('d')]), [row('e'), row('a')])
    expect([ids(state.rows), ids(state.waiting)]).toEqual(['cba', 'ed'])
    expect(ids(shown(state).rows)).toBe('edcba')
  })

  test('after a gap that the new look covers, what is shown stays', () => {
    const state = withRoom(withOlder(begun, [row('0')], null), room(['e', 'd', 'c', 'b']))
    expect([ids(state.rows), ids(state.waiting), state.next]).toEqual(['cba0', 'ed', null])
  })

  test('after a longer gap the list begins again, with a way to the older ones', () => {
    const state = withRoom(begun, room(['z', 'y'], 'further'))
    expect([ids(state.rows), ids(state.waiting), state.next]).toEqual(['zy', '', 'further'])
  })
})

test('what was wrong is no more, once there is a new look', () => {
  expect(withNow({ ...begun, trouble: 'the disk' }, begun.now).trouble).toBe('')
})

describe('cards', () => {
  const with2 = withNow(begun, { ...begun.now, needs: [held('one'), held('two')] })
  const keys = ({ cards }: State) => cards.map(({ key }) => key)

  test('one that was answered stays where it was, and goes when it may', () => {
    const after = withNow(answer(with2, 'one', 'Released'), { ...begun.now, needs: [held('two')] })
    expect(keys(after)).toEqual(['one', 'two'])
    expect(keys(answer(after, 'one'))).toEqual(['two'])
  })

  test('one that somebody else has answered goes at once', () => {
    expect(keys(withNow(with2, { ...begun.now, needs: [held('two')] }))).toEqual(['two'])
  })
})

describe('who comes and goes', () => {
  const notice = (id: string, passing: 'came' | 'went', about = 'backend'): Row => ({
    ...{ type: 'notice', id, at: id, text: `@${about} ${passing}`, passing, about },
  })
  const texts = (rows: Row[]) => rows.map(({ text }) => text)
  const restarts = [
    notice('5', 'came'),
    notice('4', 'went'),
    notice('3', 'came'),
    notice('2', 'went'),
  ]

  test.each<[what: string, rows: Row[], hidden: string[], all: string[]]>([
    ['nobody', [row('a')], ['a'], ['a']],
    ['one', [row('b'), notice('1', 'came'), row('a')], ['b', 'a'], ['b', '@backend came', 'a']],
    ['restarts', [row('b'), ...restarts], ['b'], ['b', '@backend restarted ×2']],
    ['two', [notice('2', 'went', 'api'), ...restarts], [], ['@api went', '@backend restarted ×2']],
    [
      'an end that nobody asked for',
      [{ type: 'notice', id: '2', at: '2', text: 'exit code 1' }, notice('1', 'came')],
      ['exit code 1'],
      ['exit code 1', '@backend came'],
    ],
  ])('%s', (_, rows, hidden, all) => {
    expect(texts(feedRows(rows, false))).toEqual(hidden)
    expect(texts(feedRows(rows, true))).toEqual(all)
  })
})

describe('what a card offers', () => {
  const named = (type: 'failed' | 'limited' | 'permission', answer: string): Need => ({
    ...{ type, key: 'k', name: 'backend', at: '', why: 'so', answer },
  })

  test.each<[Need, boolean]>([
    [named('failed', 'agent-chat restart backend'), true],
    [named('failed', 'agent-chat resume backend'), false],
    [named('failed', 'agent-chat attach backend'), false],
    [named('failed', 'agent-chat doctor'), false],
    [named('limited', 'agent-chat attach backend'), false],
    [named('permission', 'agent-chat attach backend'), false],
    [held('h'), false],
  ])('of %j a button starts it again: %s', (need, does) => {
    expect(restarts(need)).toBe(does)
  })

  test.each([
    ['agent-chat attach x', { words: 'Answer at its terminal: ', command: 'agent-chat attach x' }],
    ['agent-chat resume x', { words: 'Run: ', command: 'agent-chat resume x' }],
    ['agent-chat doctor', { words: 'Run: ', command: 'agent-chat doctor' }],
    ['in its own terminal, in /api', { words: 'Answer in its own terminal, in /api' }],
  ])('%s is told as %j', (answer, place) => {
    expect(placeOf(answer)).toEqual(place)
  })
})
