import { nextTime } from './calendar.ts'

/** A run that was missed, while nothing ran it, is made up for if it is no later than this. */
export const LATE_MS = 60 * 60_000

/** A schedule as far as time is concerned: what is due comes after `since`, in milliseconds. */
export type Timed = { id: string; cron: string; since: number }

/**
 * Which schedules have a run now, for which time, and when the next one comes. `lastRuns`: the time
 * of the last run by schedule. However many were missed, one is made up for: the last of them.
 */
export function dueRuns(
  schedules: readonly Timed[],
  now: number,
  lastRuns: Record<string, number>,
  zone?: string,
): { due: { id: string; at: number }[]; nextDue?: number } {
  const due = schedules.flatMap(({ id, cron, since }) => {
    // A time far ahead was taken from a clock that was wrong.
    const known = [since, lastRuns[id] ?? 0].filter((time) => time <= now + LATE_MS)
    const after = Math.max(...known, now - LATE_MS)
    const at = lastTime(cron, after, now, zone)
    return at === undefined ? [] : [{ id, at }]
  })
  const next = schedules
    .map(({ cron }) => nextTime(cron, now, zone))
    .filter((time) => time !== undefined)
  return { due, ...(next.length === 0 ? {} : { nextDue: Math.min(...next) }) }
}

/** The last time of a schedule after `after` and not after `until`: within the hour, few steps. */
function lastTime(cron: string, after: number, until: number, zone?: string): number | undefined {
  let last: number | undefined
  for (let at = nextTime(cron, after, zone); at !== undefined && at <= until; ) {
    last = at
    at = nextTime(cron, at, zone)
  }
  return last
}
