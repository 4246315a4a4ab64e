import { nextTime } from './calendar.ts'

/** A run that is no later than this is made up for, or given again if it was cut. In milliseconds. */
export const LATE_MS = 60 * 60_000

/** A schedule as far as time is concerned: what is due comes after `since`, in milliseconds. */
export type Timed = { id: string; cron: string; since: number }

/** A run for the time `at`. `next`: when the one after it comes; both in milliseconds. */
type Due = { id: string; at: number }
type Missed = Due & { next: number | undefined }

/**
 * Which schedules have a run now, for which time, and when the next one comes. `lastRuns`: the time
 * of the last run by schedule. Of those that nothing ran the last one is made up for where it is
 * less than an hour late, or less than half of the time to the next one has passed; else it is
 * `missed`.
 */
export function dueRuns(
  schedules: readonly Timed[],
  now: number,
  lastRuns: Record<string, number>,
  zone?: string,
): { due: Due[]; missed: Missed[]; nextDue?: number } {
  const due: Due[] = []
  const missed: Missed[] = []
  for (const { id, cron, since } of schedules) {
    // A time far ahead was taken from a clock that was wrong. What it hides may have run.
    const times = [since, lastRuns[id] ?? 0]
    const known = times.filter((time) => time <= now + LATE_MS)
    const after = Math.max(...known, known.length < times.length ? now - LATE_MS : 0)
    const at = lastTime(cron, after, now, zone)
    if (at === undefined) continue
    const next = nextTime(cron, now, zone)
    const late = now - at
    const isDue = late <= LATE_MS || next === undefined || late < (next - at) / 2
    if (isDue) due.push({ id, at })
    else missed.push({ id, at, next })
  }
  const next = schedules
    .map(({ cron }) => nextTime(cron, now, zone))
    .filter((time) => time !== undefined)
  return { due, missed, ...(next.length === 0 ? {} : { nextDue: Math.min(...next) }) }
}

/** The last time of a schedule after `after` and not after `until`: looked for nearby first. */
function lastTime(cron: string, after: number, until: number, zone?: string): number | undefined {
  for (let back = LATE_MS; ; back *= 2) {
    const from = Math.max(after, until - back)
    let last: number | undefined
    for (let at = nextTime(cron, from, zone); at !== undefined && at <= until; ) {
      last = at
      at = nextTime(cron, at, zone)
    }
    if (last !== undefined || from === after) return last
  }
}
