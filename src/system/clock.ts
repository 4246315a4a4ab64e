import { performance } from 'node:perf_hooks'

/** Time, as a port: the one thing a test must be able to set. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Microseconds since 1970; never the same twice from one clock, and never less than before. */
  micros(): number
}

/** The machine's clock. Node has no wall clock in microseconds: the fine part comes from the monotonic one. */
export function systemClock(): Clock {
  let last = 0
  return {
    now: () => Date.now(),
    micros: () => {
      const wall = Date.now() * 1000
      const fine = Math.floor((performance.timeOrigin + performance.now()) * 1000)
      // The monotonic clock does not follow a wall clock that was set; then the wall clock is right.
      const micros = Math.abs(fine - wall) < 2000 ? fine : wall
      last = Math.max(last + 1, micros)
      return last
    },
  }
}
