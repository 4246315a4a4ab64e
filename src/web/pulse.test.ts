import { afterEach, expect, test, vi } from 'vitest'
import { BEAT_MS, createPulse } from './pulse.ts'

afterEach(() => void vi.useRealTimers())

/** A pulse by a clock that stands still; `beats` has the seconds between its beats. */
function opened(calm = () => true, also = () => {}) {
  vi.useFakeTimers()
  const beats: number[] = []
  let last = Date.now()
  const pulse = createPulse(() => {
    beats.push((Date.now() - last) / 1000)
    last = Date.now()
    also()
    return calm()
  })
  pulse.begin()
  return { pulse, beats }
}

test('slower and slower up to a sign of life, and quick again once something happens', () => {
  const { pulse, beats } = opened()
  vi.advanceTimersByTime(35_000 + 3 * BEAT_MS)
  expect(beats).toEqual([5, 10, 20, 30, 30, 30])
  pulse.stir()
  pulse.stir()
  vi.advanceTimersByTime(15_000)
  expect(beats.slice(6)).toEqual([5, 10])
})

test('quick as long as all is not well', () => {
  let well = false
  const { beats } = opened(() => well)
  vi.advanceTimersByTime(20_000)
  well = true
  vi.advanceTimersByTime(15_000)
  expect(beats).toEqual([5, 5, 5, 5, 5, 10])
})

test('what happens in a beat begins it again, once; none comes after the end', () => {
  let stirs = 0
  const { pulse, beats } = opened(
    () => true,
    () => {
      stirs += 1
      if (stirs === 3) pulse.stir()
    },
  )
  vi.advanceTimersByTime(50_000)
  expect(beats).toEqual([5, 10, 20, 5, 10])
  expect(vi.getTimerCount()).toBe(1)
  pulse.end()
  pulse.stir()
  expect(vi.getTimerCount()).toBe(0)
})
