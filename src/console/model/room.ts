import {
  type Entry,
  type MessageEntry,
  type Person,
  STAGES,
  type StageShown,
} from '../../chat/live/entry.ts'
import { folded } from '../../chat/live/passing.ts'
import type { Away } from '../../feed/awayText.ts'
import type { Need } from '../../feed/need.ts'
import { senderOfId } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'

/** The oldest entries beyond this many are forgotten: a room open for a week must not grow. */
export const MAX_ENTRIES = 1000
/** So many are forgotten at a time. */
export const FORGET = 100

/** All that the room knows, as a value. */
export type Room = {
  /** Oldest first. */
  entries: readonly Entry[]
  /** How many entries have been forgotten. With the index it makes an entry's number, for good. */
  forgotten: number
  /** The number of the first entry that came since the human last looked. */
  mark: number | undefined
  /** How many came since then. */
  fresh: number
  people: readonly Person[]
  /** Nobody has looked yet who is here. */
  looking?: boolean
  /** What cannot go on without the human. */
  needs: readonly Need[]
  /** What happened while the human was away, until they have seen it. */
  away: Away | undefined
  /** What the human has not read, oldest first. */
  unread: readonly Message[]
  paused: boolean
  /** To whom goes what is typed without a name. */
  addressee: string | undefined
  /** What is wrong with the room itself, while it is. */
  trouble: string | undefined
}

export function emptyRoom(addressee?: string): Room {
  return {
    entries: [],
    forgotten: 0,
    mark: undefined,
    fresh: 0,
    people: [],
    needs: [],
    unread: [],
    away: undefined,
    paused: false,
    addressee,
    trouble: undefined,
  }
}

/** The numbers of the decisions that wait for the human. */
export function openDecisions({ needs }: Room): number[] {
  return needs.flatMap((need) => ('options' in need ? (need.number ?? []) : []))
}

/** The room with an entry that came by itself: the first since the last look moves the mark. */
export function arrive(room: Room, entry: Entry): Room {
  const next = note(room, entry)
  if (nextNumber(next) === nextNumber(room)) return next
  const mark = room.fresh === 0 ? nextNumber(next) - 1 : room.mark
  return { ...next, mark, fresh: room.fresh + 1 }
}

/**
 * The room with one entry more that answers the human: they look at it. The same refusal or error
 * again only counts at the line that says so, and who comes and goes is one line.
 */
export function note(room: Room, entry: Entry): Room {
  const last = room.entries.at(-1)
  const one = entry.type === 'notice' && last?.type === 'notice' ? folded(last, entry) : undefined
  if (one) return { ...room, entries: room.entries.with(-1, one) }
  const counts = entry.type === 'notice' && (entry.tone === 'error' || entry.detail !== undefined)
  if (counts && last?.type === 'notice' && last.text === entry.text)
    return { ...room, entries: room.entries.with(-1, { ...entry, count: (last.count ?? 1) + 1 }) }
  const over = room.entries.length >= MAX_ENTRIES ? FORGET : 0
  const kept = over === 0 ? room.entries : room.entries.slice(over)
  return { ...room, entries: kept.concat(entry), forgotten: room.forgotten + over }
}

/** The human has looked: nothing is new any more. The mark stays until something comes again. */
export function look(room: Room): Room {
  return room.fresh === 0 ? room : { ...room, fresh: 0 }
}

/** The room with these messages changed. What the room does not have is left out. */
export function change(
  room: Room,
  ids: readonly string[],
  fields: (entry: MessageEntry) => Partial<MessageEntry>,
): Room {
  const wanted = new Set(ids)
  const isWanted = (entry: Entry) => entry.type === 'message' && wanted.has(entry.id)
  if (!room.entries.some(isWanted)) return room
  const entries = room.entries.map((entry) =>
    entry.type === 'message' && wanted.has(entry.id) ? { ...entry, ...fields(entry) } : entry,
  )
  return { ...room, entries }
}

/** Messages of the human's have come further; none goes back. */
export function advance(room: Room, ids: readonly string[], stage: StageShown): Room {
  const own = ids.filter((id) => senderOfId(id) === HUMAN)
  const isFurther = (now: StageShown | undefined) =>
    now === undefined || STAGES.indexOf(stage) > STAGES.indexOf(now)
  return change(room, own, (entry) => (isFurther(entry.stage) ? { stage } : {}))
}

/** The number of the entry that shows this message, where the room has it. */
export function numberOf(room: Room, id: string): number | undefined {
  const at = room.entries.findIndex((entry) => entry.type === 'message' && entry.id === id)
  return at < 0 ? undefined : room.forgotten + at
}

/** The number that the next entry will have. */
export function nextNumber(room: Room): number {
  return room.forgotten + room.entries.length
}

/** A session has another name: what is typed without one still goes to it. */
export function rename(room: Room, from: string, to: string): Room {
  return room.addressee === from ? { ...room, addressee: to } : room
}

/** For whom is a text without a name: the last addressee, or the only session there is. */
export function addresseeOf(room: Room): string | undefined {
  return room.addressee ?? (room.people.length === 1 ? room.people[0]?.name : undefined)
}
