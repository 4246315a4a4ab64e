import { expect, test } from 'vitest'
import { hunksOf, linesOf, withHunks } from './lines.ts'

const letters = (text: string) => text.split('')

test.each([
  ['abc', 'abc', []],
  ['', 'ab', [{ start: 0, end: 0, lines: ['a', 'b'] }]],
  ['ab', '', [{ start: 0, end: 2, lines: [] }]],
  ['abcde', 'abXde', [{ start: 2, end: 3, lines: ['X'] }]],
  ['abcde', 'abde', [{ start: 2, end: 3, lines: [] }]],
  [
    'abcde',
    'aXbcdYe',
    [
      { start: 1, end: 1, lines: ['X'] },
      { start: 4, end: 4, lines: ['Y'] },
    ],
  ],
  [
    'abcdefg',
    'XbcdefY',
    [
      { start: 0, end: 1, lines: ['X'] },
      { start: 6, end: 7, lines: ['Y'] },
    ],
  ],
])('%j to %j', (before, after, hunks) => {
  expect(hunksOf(letters(before), letters(after))).toEqual(hunks)
})

test('on random texts the changes make the one of the other, and are as few as there can be', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * below)
  }
  for (let round = 0; round < 3000; round += 1) {
    const text = () => Array.from({ length: random(12) }, () => 'abcd'[random(4)] ?? 'a')
    const [before, after] = [text(), text()]
    const hunks = hunksOf(before, after)
    expect(withHunks(before, hunks)).toEqual(after)
    const changed = hunks.reduce(
      (sum, { start, end, lines }) => sum + end - start + lines.length,
      0,
    )
    expect(changed).toBe(before.length + after.length - 2 * common(before, after))
    for (const [index, { start }] of hunks.slice(1).entries())
      expect(start).toBeGreaterThan(hunks[index]?.end ?? 0)
  }
})

test('texts that have nothing in common are one change', () => {
  const lines = (letter: string) => Array.from({ length: 5000 }, (_, at) => `${letter}${at}`)
  expect(hunksOf(lines('a'), lines('b'))).toEqual([{ start: 0, end: 5000, lines: lines('b') }])
})

test.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\r\nb\r\n', ['a', 'b']],
  ['\n', ['']],
])('the lines of %j', (text, lines) => expect(linesOf(text)).toEqual(lines))

/** The length of the longest run of lines, with gaps, that both have. */
function common(a: string[], b: string[]): number {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = 1; i <= a.length; i += 1)
    for (let j = 1; j <= b.length; j += 1)
      (table[i] as number[])[j] =
        a[i - 1] === b[j - 1]
          ? (table[i - 1]?.[j - 1] ?? 0) + 1
          : Math.max(table[i - 1]?.[j] ?? 0, table[i]?.[j - 1] ?? 0)
  return table[a.length]?.[b.length] ?? 0
}
