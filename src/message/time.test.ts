import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { isoTime, localTime } from './time.ts'

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

test.each(['UTC', 'Etc/UTC', 'Europe/Berlin', 'America/St_Johns'])(
  'a time is shown in the zone of the machine: %s',
  (zone) => {
    vi.stubEnv('TZ', zone)
    const options = { timeZone: zone, dateStyle: 'short', timeStyle: 'short' } as const
    for (const ms of [0, 1_774_746_000_000, 1_795_290_091_710])
      expect(localTime(new Date(ms).toISOString())).toBe(
        new Intl.DateTimeFormat('sv', options).format(ms),
      )
    vi.unstubAllEnvs()
  },
)
