import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reasonFor } from '../../session/workerState.ts'
import { SILENCE, watchSilence } from './silence.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched() {
  const told: unknown[] = []
  const watch = watchSilence(
    SILENCE,
    (ms) => told.push(ms),
    (is) => told.push(is),
  )
  return { told, watch }
}

test('an API that says nothing is told after 90 s, and ended after 300 s', () => {
  const { told, watch } = watched()
  vi.advanceTimersByTime(89_000)
  watch.heard()
  vi.advanceTimersByTime(89_999)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual([true])
  vi.advanceTimersByTime(210_000)
  expect(told).toEqual([true, 300_000])
})

test('what is heard again ends the quiet, and so does the end of the turn', () => {
  const { told, watch } = watched()
  vi.advanceTimersByTime(100_000)
  watch.heard()
  expect(told).toEqual([true, false])
  vi.advanceTimersByTime(100_000)
  watch.end()
  expect(told).toEqual([true, false, true, false])
  vi.advanceTimersByTime(1_000_000)
  expect(told).toHaveLength(4)
})

test('a tool that runs, and a person who is asked, are no quiet of the API', () => {
  const { told, watch } = watched()
  watch.tools(1)
  for (let at = 0; at < 20; at += 1) {
    vi.advanceTimersByTime(30_000)
    watch.heard()
  }
  watch.tools(0)
  watch.pause(true)
  vi.advanceTimersByTime(1_000_000)
  expect(told).toEqual([])
})

test.each([
  ['busy', 60_000, null],
  ['busy', 90_000, 'no word from the API for 2 min'],
  ['busy', 240_000, 'no word from the API for 4 min'],
  ['draining', 120_000, 'no word from the API for 2 min'],
  ['waiting', 120_000, null],
  ['idle', 120_000, null],
] as const)('%s, and the API quiet for %d ms: %s', (activity, ms, reason) => {
  const quiet = '2026-11-21T03:39:12.000Z'
  expect(reasonFor({ activity, quiet }, Date.parse(quiet) + ms)).toBe(reason)
})
