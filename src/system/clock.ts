/** Time, as a port: the one thing a test must be able to set. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Microseconds since 1970; never the same twice from one clock, and never less than before. */
  micros(): number
}

/** The machine's clock: milliseconds of the wall clock; the rest only tells ids apart. */
export function systemClock(): Clock {
  let last = 0
  return {
    now: () => Date.now(),
    micros: () => {
      const fine = Math.floor(process.hrtime()[1] / 1000) % 1000
      last = Math.max(last + 1, Date.now() * 1000 + fine)
      return last
    },
  }
}
