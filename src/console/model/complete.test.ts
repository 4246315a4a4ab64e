import { expect, test } from 'vitest'
import { type Completable, commonStart, complete } from './complete.ts'

const IDS = ['k7f3m', 'h2x9q']
const KNOWN: Completable = {
  names: ['backend', 'backup', 'frontend'],
  words: ['who', 'tasks', 'task', 'thread', 'reply', 'gate', 'release', 'history'],
  ids: IDS,
  numbers: [3, 12],
  chains: ['p4w8c'],
}

test.each<[string, number, string[]]>([
  ['@', 0, ['@backend', '@backup', '@frontend']],
  ['@f', 0, ['@frontend']],
  ['@x', 0, []],
  ['tell @fr', 5, ['@frontend']],
  ['first line\n@fr', 11, ['@frontend']],
  ['/t', 0, ['/tasks', '/task', '/thread']],
  ['/who', 0, ['/who']],
  ['#', 0, ['#3', '#12']],
  ['#1', 0, ['#12']],
  ['text #', 5, []],
  ['@backend /', 9, ['/task', '/ask']],
  ['@backend /a', 9, ['/ask']],
  ['@backend and /a', 13, []],
  ['/thread ', 8, IDS],
  ['/thread h2', 8, [IDS[1] ?? '']],
  ['/thread h2x9q ', 14, []],
  ['/reply ', 7, ['#3', '#12', ...IDS]],
  ['/reply #1', 7, ['#12']],
  ['/reply k7', 7, [IDS[0] ?? '']],
  ['/gate ba', 6, ['@backend', '@backup']],
  ['/gate @fr', 6, ['@frontend']],
  ['/history --with @ba', 16, ['@backend', '@backup']],
  ['/release ', 9, ['p4w8c']],
  ['/who ', 5, []],
  ['/nothing ', 9, []],
  ['plain words', 6, []],
])('%j', (before, from, options) => {
  expect(complete(before, KNOWN)).toEqual({ from, options: options.map((option) => `${option} `) })
})

test.each([
  [[], ''],
  [['one'], 'one'],
  [['@backend ', '@backup '], '@back'],
  [['a', 'b'], ''],
])('what %j begin with', (options, start) => {
  expect(commonStart(options)).toBe(start)
})
