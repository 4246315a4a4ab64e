import type { Clock } from '../system/clock.ts'

/**
 * A clock that stands still until it is set: milliseconds since 1970. Its microseconds count on, as
 * a clock's must.
 */
export type FixedClock = Clock & { set(ms: number): void }

export function fixedClock(iso: string): FixedClock {
  let now = Date.parse(iso)
  let last = 0
  return {
    now: () => now,
    micros: () => {
      last = Math.max(last + 1, now * 1000)
      return last
    },
    set: (ms) => {
      now = ms
    },
  }
}
