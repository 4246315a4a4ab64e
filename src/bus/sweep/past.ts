import { eventsFromEnd, isSent } from '../history.ts'
import type { Home } from '../home.ts'

/** What the history tells: who was sent, who read, and since when it tells anything. */
export type Past = {
  sent: ReadonlySet<string>
  /** Whether this message was read by its recipient. */
  wasRead(id: string, by: string): boolean
  /** Whether the history should know a message of this time (milliseconds since 1970). */
  covers(time: number): boolean
}

/**
 * A history may have been cut by its owner; what is older is none of its business, and messages that were cleared away with it
 * must not come back. An hour before its first line still counts, because the first message of a home may have crashed.
 */
const BEFORE_MS = 60 * 60 * 1000

/** Reads the whole history once. Where there is none, it counts as cut at `now` (milliseconds since 1970). */
export function readPast(home: Pick<Home, 'history'>, now: number): Past {
  const sent = new Set<string>()
  const read = new Set<string>()
  let first = now
  for (const event of eventsFromEnd(home)) {
    const at = Date.parse(event.at)
    if (!Number.isNaN(at)) first = at
    if (isSent(event)) sent.add(event.id)
    if (event.event === 'read') for (const id of idsOf(event)) read.add(`${id} ${String(event.by)}`)
  }
  return {
    sent,
    wasRead: (id, by) => read.has(`${id} ${by}`),
    covers: (time) => time >= first - BEFORE_MS,
  }
}

function idsOf(event: { [field: string]: unknown }): unknown[] {
  return Array.isArray(event.ids) ? event.ids : [event.id]
}
