import { expect, test } from 'vitest'
import { type Foldable, foldRows } from './fold.ts'

let seconds = 0
const at = () => new Date(Date.UTC(2026, 10, 27, 14) + seconds * 1000).toISOString()

type Row = Foldable & { text: string }

const message = (more: Partial<Extract<Foldable, { type: 'message' }>> = {}): Row => {
  seconds += 1
  return {
    type: 'message',
    id: `m${seconds}`,
    at: at(),
    from: 'infra',
    to: 'human',
    kind: 'note',
    text: 'x',
    ...more,
  }
}
const notice = (text: string, passing?: 'came' | 'went', about = 'backend'): Row => ({
  ...{ type: 'notice', text, about },
  ...(passing && { passing }),
})
const many = (count: number, more = {}) => Array.from({ length: count }, () => message(more))
const texts = (rows: readonly Row[], all = false) =>
  foldRows(rows, all).map((row) => (row.type === 'message' ? row.kind : row.text))

const cycle = [notice('@backend has left', 'went'), notice('@backend is here', 'came')]
const restarts = [notice('@backend is here', 'came'), ...cycle, ...cycle, ...cycle]

test.each<[what: string, rows: Row[], first: string[], all: string[]]>([
  ['restarts', restarts, [], ['@backend restarted ×3']],
  [
    'a bad end between restarts',
    [...cycle, notice('the agent of @backend has ended (exit code 1)'), ...cycle],
    ['the agent of @backend has ended (exit code 1)'],
    ['@backend restarted', 'the agent of @backend has ended (exit code 1)', '@backend restarted'],
  ],
  [
    'a task and its states',
    [message({ kind: 'task' }), message({ progress: true }), message({ kind: 'result' })],
    ['task', 'result'],
    ['task', 'note', 'result'],
  ],
])('%s', (_, rows, first, all) => {
  expect(texts(rows)).toEqual(first)
  expect(texts(rows, true)).toEqual(all)
})

const NOTES = (count: number) => Array<string>(count).fill('note')

test.each<[what: string, rows: () => Row[], shown: string[]]>([
  ['20 from one session to you', () => many(20), NOTES(20)],
  ['more than 20', () => many(23), [...NOTES(20), '3 more from @infra']],
  ['more than 20 to another session', () => many(23, { to: 'frontend' }), NOTES(23)],
  [
    'more than 20 from two sessions together',
    () => [...many(15), ...many(15, { from: 'api' })],
    NOTES(30),
  ],
  ['states of tasks do not count', () => [...many(20, { progress: true }), ...many(20)], NOTES(20)],
  [
    'what needs an answer stays a row of its own',
    () => [
      ...many(21),
      message({ kind: 'question' }),
      message({ kind: 'urgent question' }),
      message(),
    ],
    [...NOTES(20), '2 more from @infra', 'question', 'urgent question'],
  ],
  [
    'ten minutes later',
    () => {
      const before = many(21)
      seconds += 600
      return [...before, ...many(21)]
    },
    [...NOTES(20), '1 more from @infra', ...NOTES(20), '1 more from @infra'],
  ],
])('%s', (_, rows, shown) => {
  expect(texts(rows())).toEqual(shown)
})

test('a crowd has all of its messages, whoever writes in between', () => {
  const rows = [...many(21), message({ from: 'api' }), ...many(2)]
  const crowd = foldRows(rows).find((row) => row.type === 'crowd')
  expect(crowd).toMatchObject({
    type: 'crowd',
    from: 'infra',
    id: rows[20]?.type === 'message' && rows[20].id,
  })
  expect(crowd?.type === 'crowd' && crowd.rows).toEqual([rows[20], ...rows.slice(22)])
})
