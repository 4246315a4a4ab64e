/** When a change was first and last seen, in milliseconds since 1970. */
export type Seen = { first: number; last: number }

/**
 * How long a file must be quiet, how long it is waited for that, and how far apart its notes are.
 * In milliseconds.
 */
export type Pace = { quietMs: number; longestMs: number; apartMs: number }

export const PACE: Pace = { quietMs: 2000, longestMs: 30_000, apartMs: 60_000 }

/**
 * In how many milliseconds a change is told: once the file is quiet, or will not be, and the note
 * before it (`noted`) is long enough ago.
 */
export function dueIn(seen: Seen, noted: number | undefined, now: number, pace: Pace): number {
  const quiet = Math.min(seen.last + pace.quietMs, seen.first + pace.longestMs)
  const apart = noted === undefined ? quiet : noted + pace.apartMs
  return Math.max(0, Math.max(quiet, apart) - now)
}
