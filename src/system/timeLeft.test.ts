import { expect, test, vi } from 'vitest'
import { until } from '../testing/until.ts'
import { timeLeft } from './timeLeft.ts'

test('counts down, and setting the clock changes nothing', async () => {
  const left = timeLeft(60_000)
  const first = left()
  expect(first).toBeLessThanOrEqual(60_000)
  await until('time to go by', () => left() < first)
  const before = left()
  vi.setSystemTime(Date.now() - 3_600_000)
  expect(left()).toBeLessThanOrEqual(before)
  vi.setSystemTime(Date.now() + 7_200_000)
  expect(left()).toBeGreaterThan(before - 10_000)
  vi.useRealTimers()
  expect(timeLeft(0)()).toBeLessThanOrEqual(0)
})
