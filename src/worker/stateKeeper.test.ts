import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { BEAT_MS, type WorkerState } from '../session/workerState.ts'
import { tempBus } from '../testing/home.ts'
import { keepState } from './stateKeeper.ts'

afterEach(() => void vi.useRealTimers())

test('a sign of life every 30 s, until the end', () => {
  vi.useFakeTimers()
  const bus = tempBus()
  const read = (): WorkerState => JSON.parse(readFileSync(bus.home.worker('coder'), 'utf8'))
  const before = { restarts: ['2026-11-21T03:39:12.123Z'], message: 'm', attempt: 2 }
  const definition = { path: '/a.md', hash: 'h' }
  const state = keepState(bus, 'coder', definition, before as WorkerState)
  expect(read()).toMatchObject({ ...before, activity: 'starting', definition, requests: 0 })
  const first = read().beat
  vi.advanceTimersByTime(BEAT_MS)
  const second = read().beat
  expect(second > first).toBe(true)
  state.set({ activity: 'waiting', reason: 'decision 3', message: undefined })
  expect(read()).toMatchObject({ activity: 'waiting', reason: 'decision 3' })
  expect(read()).not.toHaveProperty('message')
  state.end()
  const last = read().beat
  vi.advanceTimersByTime(3 * BEAT_MS)
  expect(read().beat).toBe(last)
})
