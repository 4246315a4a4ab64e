import { describe, expect, test } from 'vitest'
import { parseAge } from './argument.ts'

describe('an age', () => {
  test.each([
    ['1s', 1000],
    ['45s', 45_000],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['12h', 43_200_000],
    ['1d', 86_400_000],
    ['2d', 172_800_000],
    ['4w', 2_419_200_000],
  ])('%s is %d ms', (text, ms) => expect(parseAge(text)).toBe(ms))

  test.each([
    '',
    '2',
    'd',
    '0d',
    '-1d',
    '1.5h',
    '2 d',
    '2D',
    '2mo',
    '02d',
    '2d3h',
    '1e3s',
    '9999999s',
  ])('%j is none', (text) => {
    expect(() => parseAge(text)).toThrow(
      'is not an age: a number and s, m, h, d or w, for example 2d',
    )
  })
})
