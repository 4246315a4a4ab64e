import { closeSync, fstatSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import { type HistoryEvent, parseEvent } from '../../bus/history.ts'
import { openIfThere } from '../../system/files.ts'
import { linesAfter, linesBefore } from '../../system/lines.ts'

/** Where an event ends in the history: in which file, and after how many bytes of it. */
export type Place = { ino: number; end: number }

/** An event of the history, and where it ends there. */
export type Placed = { event: HistoryEvent; place: Place }

/**
 * The events before a place, or the end, from the newest to the oldest, as far as `take` says yes;
 * with the place before the last one that was looked at, undefined at the beginning. Nothing at all
 * where the place is of another file: the history was rotated since.
 */
export function eventsBefore(
  { home }: Pick<Bus, 'home'>,
  before: Place | undefined,
  take: (placed: Placed) => boolean,
): { top: Place; next: Place | undefined } | undefined {
  const fd = openIfThere(home.history)
  if (fd === undefined) return { top: { ino: 0, end: 0 }, next: undefined }
  try {
    const { size, ino } = fstatSync(fd)
    if (before !== undefined && (before.ino !== ino || before.end > size)) return undefined
    const top = { ino, end: before?.end ?? size }
    let end = top.end
    for (const line of linesBefore(fd, top.end)) {
      const event = parseEvent(line)
      if (event !== undefined && !take({ event, place: { ino, end } }))
        return { top, next: { ino, end } }
      end -= Buffer.byteLength(line) + 1
    }
    return { top, next: undefined }
  } finally {
    closeSync(fd)
  }
}

/** Whoever is further behind begins again. */
const MAX_BYTES = 4 * 1024 * 1024

/** The events after a place; undefined where the history was rotated since, or for too many. */
export function eventsAfter(
  { home }: Pick<Bus, 'home'>,
  after: Place,
  most: number,
): Placed[] | undefined {
  const fd = openIfThere(home.history)
  if (fd === undefined) return undefined
  try {
    const { size, ino } = fstatSync(fd)
    if (after.ino !== ino || after.end > size || size - after.end > MAX_BYTES) return undefined
    const lines = linesAfter(fd, after.end)
    if (lines.length > most) return undefined
    return lines.flatMap(({ line, end }) => {
      const event = parseEvent(line)
      return event === undefined ? [] : [{ event, place: { ino, end } }]
    })
  } finally {
    closeSync(fd)
  }
}

/** A place as one word, and back; undefined for what is none. */
export function placeText({ ino, end }: Place): string {
  return `${ino}-${end}`
}

export function parsePlace(text: string | undefined): Place | undefined {
  const [, ino, end] = /^(\d{1,20})-(\d{1,15})$/.exec(text ?? '') ?? []
  return ino === undefined ? undefined : { ino: Number(ino), end: Number(end) }
}
