import { readFileSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { heldMarks, isSilent } from '../bus/held.ts'
import type { Home } from '../bus/home.ts'
import { unreadIds } from '../bus/unread.ts'
import { isErrno } from '../system/errno.ts'
import { makeDirectory, replaceFileSoon } from '../system/files.ts'
import { withPidLock } from '../system/pidlock.ts'
import type { Processes, ProcessRef } from '../system/processes.ts'

/**
 * What a doorbell has done for one unread message: `by` it, since `at` (ISO 8601). While `ringing` names a process, that process is
 * at it; should it be gone, the ring never happened. `presented` is when the session is known to have got it.
 */
export type RingMark = { by: string; at: string; ringing?: ProcessRef; presented?: string }

/** The marks of a session's unread messages, by id. They can be lost: then messages ring once more. */
export type Rings = Record<string, RingMark>

/** The last ring that was done: `by` which doorbell, when (ISO 8601), and when the session is known to have got it. */
export type LastRing = { by: string; at: string; presented?: string }

/** Where the last ring stands among the marks: no id can be this. It stays when its messages are read. */
const LAST = '@last'

/** Without the lock for this long, go on without it: a second ring does less harm than none. In milliseconds. */
const LOCK_MS = 500

export function readRings(home: Pick<Home, 'rings'>, name: string): Rings {
  const { [LAST]: _, ...rings } = readAll(home, name)
  return rings
}

/** The last ring that was done for this session's agent, or undefined. */
export function lastRing(home: Pick<Home, 'rings'>, name: string): LastRing | undefined {
  return readAll(home, name)[LAST]
}

/** Which of the messages that may ring: `urgent` in a busy turn, `all` where the session is idle. */
export type Which = 'all' | 'urgent'

/** The unread messages that may ring at all: not those that are held, that wait for the next look, or that a process waits for. */
export function ringableIds(
  { home, processes }: Pick<Bus, 'home' | 'processes'>,
  name: string,
  which: Which = 'all',
): string[] {
  const marks = heldMarks(home, name)
  return unreadIds(home, name).filter((id) => {
    const mark = Object.hasOwn(marks, id) ? marks[id] : undefined
    return !isSilent(mark, processes) && (which === 'all' || mark?.ring === 'urgent')
  })
}

/** The unread messages that no doorbell has rung for, or is ringing for now, oldest first. */
export function unrung(unread: string[], rings: Rings, processes: Pick<Processes, 'isAlive'>): string[] {
  return unread.filter((id) => {
    const mark = Object.hasOwn(rings, id) ? rings[id] : undefined
    return mark === undefined || (mark.ringing !== undefined && !processes.isAlive(mark.ringing))
  })
}

/** What a doorbell of this kind had claimed when its process ended: it may have rung by half. */
export function abandonedRing(bus: Bus, name: string, by: string): string[] {
  const rings = readRings(bus.home, name)
  return Object.entries(rings)
    .filter(([, mark]) => mark.by === by && mark.ringing !== undefined && !bus.processes.isAlive(mark.ringing))
    .map(([id]) => id)
    .sort()
}

/** Takes what is still to ring for, so that no other doorbell rings for it as well. */
export function claimRing(bus: Bus, name: string, by: string, which: Which = 'all'): string[] {
  let claimed: string[] = []
  change(bus, name, (rings, unread) => {
    const ringable = new Set(ringableIds(bus, name, which))
    claimed = unrung(unread, rings, bus.processes).filter((id) => ringable.has(id))
    const mark = { by, at: new Date(bus.clock.now()).toISOString(), ringing: bus.processes.self() }
    return claimed.length === 0 ? undefined : { ...rings, ...Object.fromEntries(claimed.map((id) => [id, mark])) }
  })
  return claimed
}

/** Gives back what was claimed and could not be rung. */
export function unclaimRing(bus: Bus, name: string, ids: string[]): void {
  change(bus, name, (rings) => Object.fromEntries(Object.entries(rings).filter(([id]) => !ids.includes(id))))
}

/** Says that these messages were rung for; with `presented`, that the session has got the ring. */
export function settleRing(bus: Bus, name: string, by: string, ids: string[], presented: boolean): void {
  const at = new Date(bus.clock.now()).toISOString()
  change(bus, name, (rings) => {
    const marks = ids.map((id): [string, RingMark] => {
      // The session may have got it before the ringer came to say so.
      const got = rings[id]?.presented ?? (presented ? at : undefined)
      return [id, { by, at: rings[id]?.at ?? at, ...(got === undefined ? {} : { presented: got }) }]
    })
    const settled = { ...rings, ...Object.fromEntries(marks) }
    return ids.length === 0 ? settled : { ...settled, [LAST]: ringAsWhole(by, at, ids, rings, settled) }
  })
}

/** Says that the session has got what was rung so far by `by`; gives the ids for which that is news. */
export function presentRings(bus: Bus, name: string, by: string): string[] {
  const at = new Date(bus.clock.now()).toISOString()
  let news: string[] = []
  change(bus, name, (rings) => {
    const keys = Object.keys(rings).filter((id) => rings[id]?.by === by && rings[id]?.presented === undefined)
    news = keys.filter((key) => key !== LAST)
    if (keys.length === 0) return undefined
    return Object.fromEntries(
      Object.entries(rings).map(([id, mark]) => [id, keys.includes(id) ? presentedMark(mark, at) : mark]),
    )
  })
  return news
}

/** Forgets every ring, the last one too: another agent has begun, which has got none of them. */
export function forgetRings(bus: Bus, name: string): void {
  change(bus, name, () => ({}))
}

/** One ring for several messages. What another doorbell has done for them before is no part of it. */
function ringAsWhole(by: string, now: string, ids: string[], before: Rings, settled: Rings): LastRing {
  const at = ids.map((id) => before[id]).find((mark) => mark?.by === by)?.at ?? now
  const presented = ids.map((id) => settled[id]?.presented).find((time) => time !== undefined)
  return { by, at, ...(presented === undefined ? {} : { presented }) }
}

function presentedMark(mark: RingMark, at: string): RingMark {
  return { by: mark.by, at: mark.at, presented: at }
}

/** The marks, and the last ring among them under its own key. */
function readAll(home: Pick<Home, 'rings'>, name: string): Rings {
  try {
    const value: unknown = JSON.parse(readFileSync(home.rings(name), 'utf8'))
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return Object.fromEntries(entries.filter(([, mark]) => isMark(mark)))
  } catch (error) {
    if (isErrno(error, 'ENOENT') || error instanceof SyntaxError) return {}
    throw error
  }
}

function isMark(value: unknown): value is RingMark {
  return typeof value === 'object' && value !== null && 'by' in value && 'at' in value
}

/** Marks are kept for what is unread, so the file stays as small as the inbox; the last ring is kept beside them. */
function change(bus: Bus, name: string, next: (rings: Rings, unread: string[]) => Rings | undefined): void {
  makeDirectory(bus.home.states)
  withPidLock(bus.home.ringsLock(name), bus.processes, LOCK_MS, () => {
    const unread = unreadIds(bus.home, name)
    const rings = next(readAll(bus.home, name), unread)
    if (!rings) return
    const kept = Object.fromEntries(
      [LAST, ...unread].flatMap((key) => (Object.hasOwn(rings, key) ? [[key, rings[key]]] : [])),
    )
    replaceFileSoon(bus.home.rings(name), `${JSON.stringify(kept)}\n`)
  })
}
