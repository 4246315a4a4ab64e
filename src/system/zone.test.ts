import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { isUtc } from './zone.ts'

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
