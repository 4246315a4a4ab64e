import { readFileSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { heldMarks } from '../bus/held.ts'
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

/** Without the lock for this long, go on without it: a second ring does less harm than none. In milliseconds. */
const LOCK_MS = 500

export function readRings(home: Pick<Home, 'rings'>, name: string): Rings {
  try {
    const value: unknown = JSON.parse(readFileSync(home.rings(name), 'utf8'))
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return Object.fromEntries(entries.filter(([, mark]) => isMark(mark)))
  } catch (error) {
    if (isErrno(error, 'ENOENT') || error instanceof SyntaxError) return {}
    throw error
  }
}

/** The unread messages that may ring at all: not those that are held, nor those that wait for the next look. */
export function ringableIds(home: Home, name: string): string[] {
  const marks = heldMarks(home, name)
  const silent = (id: string) => Object.hasOwn(marks, id) && marks[id]?.ring !== 'resumed'
  return unreadIds(home, name).filter((id) => !silent(id))
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

/** Takes all that is still to ring for, so that no other doorbell rings for it as well. */
export function claimRing(bus: Bus, name: string, by: string): string[] {
  let claimed: string[] = []
  change(bus, name, (rings, unread) => {
    const ringable = new Set(ringableIds(bus.home, name))
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
    return { ...rings, ...Object.fromEntries(marks) }
  })
}

/** Says that the session has got what was rung so far by `by`; gives the ids for which that is news. */
export function presentRings(bus: Bus, name: string, by: string): string[] {
  const at = new Date(bus.clock.now()).toISOString()
  let news: string[] = []
  change(bus, name, (rings) => {
    news = Object.keys(rings).filter((id) => rings[id]?.by === by && rings[id]?.presented === undefined)
    if (news.length === 0) return undefined
    return Object.fromEntries(
      Object.entries(rings).map(([id, mark]) => [id, news.includes(id) ? presentedMark(mark, at) : mark]),
    )
  })
  return news
}

/** Forgets every ring: another agent has begun, which has got none of them. */
export function forgetRings(bus: Bus, name: string): void {
  change(bus, name, () => ({}))
}

function presentedMark(mark: RingMark, at: string): RingMark {
  return { by: mark.by, at: mark.at, presented: at }
}

function isMark(value: unknown): value is RingMark {
  return typeof value === 'object' && value !== null && 'by' in value && 'at' in value
}

/** Marks are kept for what is unread, so the file stays as small as the inbox. */
function change(bus: Bus, name: string, next: (rings: Rings, unread: string[]) => Rings | undefined): void {
  makeDirectory(bus.home.states)
  withPidLock(bus.home.ringsLock(name), bus.processes, LOCK_MS, () => {
    const unread = unreadIds(bus.home, name)
    const rings = next(readRings(bus.home, name), unread)
    if (!rings) return
    const kept = Object.fromEntries(unread.flatMap((id) => (Object.hasOwn(rings, id) ? [[id, rings[id]]] : [])))
    replaceFileSoon(bus.home.rings(name), `${JSON.stringify(kept)}\n`)
  })
}
