import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { isSilent, marksOf } from '../bus/mail/marks.ts'
import { unreadFiles, unreadIds } from '../bus/mail/unread.ts'
import { isoTime } from '../message/time.ts'
import {
  cameToNothing,
  type Failure,
  failureIn,
  failureOf,
  nextTry,
  ringsFirst,
} from './ringsAgain.ts'
import {
  idsOf,
  keepIds,
  type LastRing,
  type RingGroup,
  type RingMark,
  type Rings,
  readRings,
  writeRings,
} from './ringsFile.ts'
import { changeRings, type Look, lookAt, noteDone, unreadBut } from './ringsLook.ts'
import type { SessionState } from './state.ts'

/** The messages that may ring: `urgent` ones in a busy turn, `all` where the session is idle. */
export type RingScope = 'all' | 'urgent'

/** What was done for this message, or undefined. */
export function ringMark(
  home: Pick<Home, 'rings'>,
  name: string,
  id: string,
): RingMark | undefined {
  return readRings(home, name).groups.find((group) => idsOf(group).includes(id))?.mark
}

/**
 * The unread messages, or these `ids` of them, that may ring at all. A message that is
 * held or quiet may not, nor one that a process waits for.
 */
export function ringableIds(
  { home, processes }: Pick<Bus, 'home' | 'processes'>,
  name: string,
  scope: RingScope = 'all',
  ids: string[] = unreadIds(home, name),
): string[] {
  const marks = ids.length === 0 ? {} : marksOf(home, name)
  return ids.filter((id) => {
    const mark = Object.hasOwn(marks, id) ? marks[id] : undefined
    return !isSilent(mark, processes) && (scope === 'all' || mark?.ring === 'urgent')
  })
}

/** The messages that may ring now and that no doorbell rings or has rung for, oldest first. */
export function unrungIds(bus: Bus, name: string): string[] {
  const failure = failureOf(bus, name)
  return unrung(bus, name, lookFor(bus, name, failure), 'all', failure)
}

/**
 * When the session is rung again for what a failed turn keeps waiting, in milliseconds since 1970;
 * undefined where nothing waits for that.
 */
export function ringsAgain(bus: Bus, name: string): number | undefined {
  const failure = failureOf(bus, name)
  if (!failure) return undefined
  const seen = lookFor(bus, name, failure)
  return toRing(bus, name, seen, 'all', failure).length > 0 ? nextTry(failure, seen) : undefined
}

/** A doorbell of this kind ended while it had these claimed: it may have rung by half. */
export function abandonedRing(
  bus: Pick<Bus, 'home' | 'processes'>,
  name: string,
  by: string,
): string[] {
  const { groups } = readRings(bus.home, name)
  return groups
    .flatMap((group) => (group.mark.by === by && isAbandoned(group.mark, bus) ? idsOf(group) : []))
    .sort()
}

/** Claims the messages to ring for, so that no other doorbell rings for them as well. */
export function claimRing(bus: Bus, name: string, by: string, scope: RingScope = 'all'): string[] {
  const failure = failureOf(bus, name)
  const seen = lookFor(bus, name, failure)
  const before = unrung(bus, name, seen, scope, failure)
  if (before.length === 0) {
    if (!failure) noteDone(bus, name, seen)
    return []
  }
  return changeRings(bus, name, (replace) => {
    const rings = readRings(bus.home, name)
    const isSame = rings.text === seen.rings.text
    const now = isSame ? seen : lookAt(bus.home, name, rings)
    const ids = isSame ? before : unrung(bus, name, now, scope, failure)
    if (ids.length === 0) return ids
    const mark = { by, at: isoTime(bus.clock.now()), ringing: bus.processes.self() }
    const groups = [...ofUnread(rings.groups, now.files, ids), { mark, ids: ids.join(' ') }]
    writeRings(replace, { ...rings, groups, inbox: undefined })
    return ids
  })
}

/** Gives back messages that were claimed and could not be rung for. */
export function unclaimRing(bus: Bus, name: string, ids: string[]): void {
  change(bus, name, (rings) => ({ ...rings, groups: without(rings.groups, ids) }))
}

/**
 * Gives back, at the end of a turn that went well, the messages whose rings came to nothing: the
 * turns since the last one that ended well have failed. `before`: the state in that turn.
 */
export function giveBackRings(bus: Bus, name: string, before: SessionState | undefined): void {
  const failure = before && failureIn(before)
  if (!failure) return
  change(bus, name, ({ groups, last }) => ({
    groups: groups.filter(({ mark }) => !cameToNothing(mark, failure)),
    last,
  }))
}

/** Says that these messages were rung for; with `presented`, that the session has got the ring. */
export function settleRing(
  bus: Bus,
  name: string,
  by: string,
  ids: string[],
  presented: boolean,
): void {
  if (ids.length === 0) return
  const now = isoTime(bus.clock.now())
  change(bus, name, ({ groups }) => {
    const before = ringMarksOf(groups, ids)
    const settled = ids.map((id) => {
      const mark = before.get(id)
      // The session may have got the ring before the ringer came to say so.
      const got = mark?.presented ?? (presented ? now : undefined)
      return {
        mark: { by, at: mark?.at ?? now, ...(got === undefined ? {} : { presented: got }) },
        ids: id,
      }
    })
    const all = [...without(groups, ids), ...settled]
    const grown = before.size < ids.length
    return {
      groups: grown ? ofUnread(all, unreadFiles(bus.home, name), []) : all,
      last: ringAsWhole(
        by,
        now,
        ids.map((id) => before.get(id)),
        settled,
      ),
    }
  })
}

/** The session has got what `by` has rung so far. Gives the ids for which that is news. */
export function presentRings(bus: Bus, name: string, by: string): string[] {
  const at = isoTime(bus.clock.now())
  const isNews = (mark: LastRing) => mark.by === by && mark.presented === undefined
  const got = <T extends LastRing>(mark: T) =>
    isNews(mark) ? { by, at: mark.at, presented: at } : mark
  let news: string[] = []
  change(bus, name, ({ groups, last }) => {
    news = groups.flatMap((group) => (isNews(group.mark) ? idsOf(group) : []))
    return {
      groups: groups.map(({ mark, ids }) => ({ mark: got(mark), ids })),
      last: last && got(last),
    }
  })
  return news
}

/** The session has looked at these unread messages itself: no doorbell need ring for them. */
export function noteSeen(bus: Bus, name: string, ids: string[]): void {
  const at = isoTime(bus.clock.now())
  change(bus, name, ({ groups, last }) => {
    const before = ringMarksOf(groups, ids)
    const fresh = ids.filter((id) => {
      const mark = before.get(id)
      return mark === undefined || isAbandoned(mark, bus)
    })
    const mark = { by: 'inbox', at, presented: at }
    const others = ofUnread(groups, unreadFiles(bus.home, name), fresh)
    return { groups: [...others, { mark, ids: fresh.join(' ') }], last }
  })
}

/** Forgets every ring, the last one too: another agent has begun, and has got none of them. */
export function forgetRings(bus: Bus, name: string): void {
  const { groups, last } = readRings(bus.home, name)
  if (groups.length > 0 || last) change(bus, name, () => ({ groups: [] }))
}

/** Looks at all of the inbox where rings may have come to nothing: that is noted nowhere. */
function lookFor({ home }: Bus, name: string, failure: Failure | undefined): Look {
  if (!failure) return lookAt(home, name)
  return lookAt(home, name, { ...readRings(home, name), inbox: undefined })
}

/** One ring at a time tries whether a turn ends well again: until then nothing else rings. */
function unrung(
  bus: Bus,
  name: string,
  seen: Look,
  scope: RingScope,
  failure: Failure | undefined,
): string[] {
  const now = bus.clock.now()
  if (!failure || now >= nextTry(failure, seen)) return toRing(bus, name, seen, scope, failure)
  const fresh = toRing(bus, name, seen, scope, undefined)
  return fresh.filter((id) => ringsFirst(id, failure, seen, now))
}

function toRing(
  bus: Pick<Bus, 'home' | 'processes'>,
  name: string,
  seen: Look,
  scope: RingScope,
  failure: Failure | undefined,
): string[] {
  const isDone = (mark: RingMark) =>
    !isAbandoned(mark, bus) && !(failure && cameToNothing(mark, failure))
  return ringableIds(bus, name, scope, unreadBut(seen, isDone))
}

function isAbandoned({ ringing }: RingMark, { processes }: Pick<Bus, 'processes'>): boolean {
  return ringing !== undefined && !processes.isAlive(ringing)
}

function without(groups: RingGroup[], ids: string[]): RingGroup[] {
  const dropped = new Set(ids)
  return dropped.size === 0 ? groups : keepIds(groups, (id) => !dropped.has(id))
}

/**
 * The groups without messages that were read meanwhile, so that the file stays as small as the
 * inbox, and without messages that get a new mark.
 */
function ofUnread(groups: RingGroup[], files: string[], renewed: string[]): RingGroup[] {
  const kept = new Set(files.map((file) => file.slice(0, -'.md'.length)))
  for (const id of renewed) kept.delete(id)
  return keepIds(groups, (id) => kept.has(id))
}

function ringMarksOf(groups: RingGroup[], ids: string[]): Map<string, RingMark> {
  const wanted = new Set(ids)
  const found = new Map<string, RingMark>()
  for (const group of groups)
    for (const id of idsOf(group)) if (wanted.has(id)) found.set(id, group.mark)
  return found
}

/** One ring for several messages. An earlier ring of another doorbell for them is no part of it. */
function ringAsWhole(
  by: string,
  now: string,
  before: (RingMark | undefined)[],
  settled: RingGroup[],
): LastRing {
  const at = before.find((mark) => mark?.by === by)?.at ?? now
  const presented = settled.map(({ mark }) => mark.presented).find((time) => time !== undefined)
  return { by, at, ...(presented === undefined ? {} : { presented }) }
}

/** Changes the marks, one process at a time. */
function change(
  bus: Bus,
  name: string,
  next: (rings: Rings) => Pick<Rings, 'groups' | 'last'>,
): void {
  changeRings(bus, name, (replace) => {
    const rings = readRings(bus.home, name)
    const { groups, last } = next(rings)
    writeRings(replace, { groups, last, text: rings.text })
  })
}
