import { describe, expect, test } from 'vitest'
import { parseDuration, parseWait } from './argument.ts'

describe('a duration', () => {
  test.each([
    ['1s', 1000],
    ['45s', 45_000],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['1h30m', 5_400_000],
    ['1d', 86_400_000],
    ['2d3h', 183_600_000],
    ['4w', 2_419_200_000],
    ['02d', 172_800_000],
  ])('%s is %d ms', (text, ms) => expect(parseDuration(text)).toBe(ms))

  test.each(['', '2', 'd', '0d', '0h0m', '-1d', '1.5h', '2 d', '2D', '2mo', '30m1h', '1e3s'])(
    '%j is none',
    (text) => {
      expect(() => parseDuration(text)).toThrow('is not a duration, for example 90s, 30m')
    },
  )

  test.each([
    ['5', 5],
    ['0.25', 0.25],
    ['2m', 120],
    ['1h30m', 5400],
  ])('a command that waits takes %s as %d s', (text, seconds) =>
    expect(parseWait(text)).toBe(seconds),
  )

  test.each(['', '0', '0.0', '0s', '-1', '1e3', 'soon'])('it does not take %j', (text) => {
    expect(() => parseWait(text)).toThrow('is not a duration')
  })
})
