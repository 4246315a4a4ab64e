import { expect, test } from 'vitest'
import { systemClock } from './clock.ts'

test('microseconds only grow, and are those of the wall clock', () => {
  const clock = systemClock()
  const before = Date.now()
  const all = Array.from({ length: 10_000 }, () => clock.micros())
  const after = Date.now()
  for (const [at, micros] of all.entries()) expect(micros > (all[at - 1] ?? 0)).toBe(true)
  expect(Number.isSafeInteger(all[0])).toBe(true)
  // The fine part may be as much as two milliseconds away from the coarse one.
  expect((all[0] ?? 0) / 1000).toBeGreaterThanOrEqual(before - 3)
  expect((all.at(-1) ?? 0) / 1000).toBeLessThanOrEqual(after + 13)
})
