import type { Bus } from '../bus/bus.ts'
import { type HistoryEvent, isSent } from '../bus/history.ts'
import { namerOf } from '../bus/names/names.ts'
import { entryOfEvent } from '../chat/live/fromEvent.ts'
import { eventsBefore, type Place, placeText } from '../chat/live/past.ts'
import { visibleLine } from '../message/visible.ts'
import type { Page, Row } from './wire.ts'

/** So many rows are given at a time. */
const PAGE = 100

/** A part of the feed; undefined where its place is of a history that was rotated since. */
export function pageBefore(bus: Bus, before?: Place): (Page & { top: Place }) | undefined {
  const rows: Row[] = []
  const named = namerOf(bus.home)
  const found = eventsBefore(bus, before, ({ event }) => {
    if (rows.length === PAGE) return false
    const row = rowOf(isSent(event) ? named(event) : event)
    if (row !== undefined) rows.push(row)
    return true
  })
  if (found === undefined) return undefined
  return { rows, next: found.next === undefined ? null : placeText(found.next), top: found.top }
}

/** What is shown of an event; undefined for what is not worth a row. */
export function rowOf(event: HistoryEvent): Row | undefined {
  const entry = entryOfEvent(event)
  if (entry?.type === 'message' && isSent(event)) {
    const { id, at, from, to, kind, subject, text, held, progress } = entry
    return {
      ...{ type: 'message', id, at, from, to, kind, text },
      ...(subject === undefined ? {} : { subject }),
      ...(held === undefined ? {} : { held }),
      ...(progress && { progress }),
      thread: visibleLine(String(event.thread ?? id)),
      chain: visibleLine(String(event.chain ?? id)),
    }
  }
  if (entry?.type !== 'notice') return undefined
  const { at, text, detail, about, passing } = entry
  return {
    ...{ type: 'notice', id: `${at} ${text}`, at, text },
    ...(detail ? { detail } : {}),
    ...(passing && about ? { passing, about } : {}),
  }
}
