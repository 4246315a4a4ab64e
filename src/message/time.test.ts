import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoTime } from './time.ts'

test.each([
  0, 1, -1, 1_795_290_091_710, 253_402_300_799_999, 253_402_300_800_000, -30_610_224_000_000,
  -30_610_224_000_001,
])('%d is written as by toISOString()', (ms) => {
  expect(isoTime(ms)).toBe(new Date(ms).toISOString())
})

test('any time is written as by toISOString()', () => {
  fc.assert(
    fc.property(
      fc.date({ noInvalidDate: true }),
      (date) => isoTime(date.getTime()) === date.toISOString(),
    ),
  )
})

test('what is no time is refused', () => {
  expect(() => isoTime(Number.NaN)).toThrow(RangeError)
})
