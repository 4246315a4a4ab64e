import { describe, expect, test } from 'vitest'
import type { Need } from '../../feed/need.ts'
import type { MessageRow, Room, Row, ThreadRow } from '../wire.ts'
import {
  EMPTY,
  feedRows,
  filtered,
  type InboxRow,
  isOpen,
  partsOf,
  placeOf,
  restarts,
  type State,
  shown,
  stay,
  tidy,
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
  ...{
    needs: [],
    threads: [],
    away: null,
    people: [],
    paused: false,
    unread: [],
    unseen: [],
    gone: null,
  },
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

describe('the inbox', () => {
  const thread = (root: string, more: Partial<ThreadRow> = {}): ThreadRow => ({
    ...{ root, at: root, kind: 'note', title: `about ${root}`, from: ['backend'], ids: [root] },
    ...more,
  })
  const told = (needs: Need[], threads: ThreadRow[] = [], state = begun) =>
    withNow(state, { ...begun.now, needs, threads })
  const keys = ({ inbox }: State) => inbox.map(({ key }) => key)
  const nowhere = () => false
  const both = told([held('one'), held('two')], [thread('t2'), thread('t1')])

  test('is what needs you, then the threads, in the order of their sources', () => {
    expect(keys(both)).toEqual(['one', 'two', 'thread t2', 'thread t1'])
  })

  test('a row that was answered stays where it was, and goes when it may', () => {
    const answered = stay(both, { key: 'one', said: 'Released', fresh: true })
    const after = told([held('two')], [], tidy(answered, nowhere))
    expect(keys(after)).toEqual(['one', 'two'])
    expect(after.inbox.map((one) => isOpen(after, one))).toEqual([false, true])
    const later = stay(after, { key: 'one', said: 'Released' })
    expect(keys(tidy(later, (key) => key === 'one'))).toEqual(['one', 'two'])
    expect(keys(tidy(later, nowhere))).toEqual(['two'])
  })

  test('a thread that is open stays where it was once it is read', () => {
    const open = stay(both, { key: 'thread t2', said: '' })
    expect(keys(told([held('new'), held('one')], [thread('t1')], open))).toEqual([
      ...['new', 'one', 'thread t2', 'thread t1'],
    ])
  })

  test('one that somebody else has answered goes at once', () => {
    expect(keys(told([held('two')], [], both))).toEqual(['two'])
  })

  test.each<[word: string, found: string[], faint: string[]]>([
    ['', ['one', 'two', 'thread t2', 'thread t1'], []],
    ['T1', ['thread t1'], ['one', 'two']],
    ['held', ['one', 'two'], []],
    ['@nobody', [], ['one', 'two']],
  ])('a filter of %j hides nothing that needs you', (word, found, faint) => {
    const rows = filtered(both.inbox, word)
    expect(rows.map(({ key }) => key)).toEqual([...found, ...faint])
    expect(rows.filter((one) => one.faint).map(({ key }) => key)).toEqual(faint)
  })

  const asks = (more: object): Need => ({
    ...{ type: 'question', key: 'k', id: 'k', at: '', from: 'api', title: 'Drop it?' },
    ...{ text: 'because', options: [], ...more },
  })
  test.each<[row: Omit<InboxRow, 'key'>, parts: ReturnType<typeof partsOf>]>([
    [
      { need: asks({ type: 'decision', number: 3, options: ['Yes', 'No'] }) },
      { why: 'Decision 3', who: ['api'], title: 'Drop it?', more: '1 Yes · 2 No' },
    ],
    [{ need: asks({}) }, { why: 'Question', who: ['api'], title: 'Drop it?', more: '' }],
    [
      {
        need: { type: 'permission', key: 'p', name: 'api', at: '', why: 'it wants', answer: '' },
      },
      { why: 'Asks permission', who: ['api'], title: 'it wants', more: '' },
    ],
    [
      { thread: thread('t', { kind: 'result', ids: ['a', 'b'] }) },
      { why: 'result', who: ['backend'], title: 'about t', more: '2 messages' },
    ],
  ])('row %# says why, who and what', (row, parts) => {
    expect(partsOf({ key: 'k', ...row } as InboxRow)).toEqual(parts)
  })
})

describe('who comes and goes', () => {
  const notice = (id: string, passing: 'came' | 'went', about = 'backend'): Row => ({
    ...{ type: 'notice', id, at: id, text: `@${about} ${passing}`, passing, about },
  })
  const texts = (rows: { text: string }[]) => rows.map(({ text }) => text)
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

test('more than 20 of one session to you within 10 minutes are one row, which opens them', () => {
  const many = Array.from({ length: 23 }, (_, at): MessageRow => {
    const id = `2026-11-21T03:00:${String(at).padStart(2, '0')}.000Z`
    return { ...row(id), from: 'api', to: 'human' }
  }).reverse()
  const types = (opened: string[]) => feedRows(many, false, opened).map(({ type }) => type)
  const [crowd] = feedRows(many, false)
  expect(crowd).toMatchObject({ type: 'crowd', text: '3 more from @api' })
  expect(types([])).toHaveLength(21)
  expect(types([crowd?.id ?? ''])).toHaveLength(24)
  expect(types([crowd?.id ?? ''])[0]).toBe('crowd')
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
