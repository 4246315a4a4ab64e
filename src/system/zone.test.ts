import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { isUtc, localTime } from './zone.ts'

test.each([
  ['UTC', true],
  ['Etc/UTC', true],
  ['Europe/Berlin', false],
  ['', false],
])('TZ %s is UTC: %s', (TZ, is) => {
  expect(isUtc({ TZ }, '/none')).toBe(is)
})

test.each([
  ['/usr/share/zoneinfo/Etc/UTC', true],
  ['/usr/share/zoneinfo/Asia/Kolkata', false],
])('without TZ, the link to %s says it: %s', (target, is) => {
  const link = join(tempDirectory(), 'localtime')
  expect(isUtc({}, link)).toBe(false)
  symlinkSync(target, link)
  expect(isUtc({}, link)).toBe(is)
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
