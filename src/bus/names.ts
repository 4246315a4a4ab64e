import { readFileSync, statSync } from 'node:fs'
import { parseId } from '../message/id.ts'
import type { Message } from '../message/message.ts'
import { NAME_PATTERN } from '../message/name.ts'
import { isErrno } from '../system/errno.ts'
import type { Bus } from './bus.ts'
import type { Home } from './home.ts'

/**
 * A session took another name, at `at` (ISO 8601). Its old name stands for the new one until another session takes that (`until`), and in what was
 * written before that for good: messages are never changed. `done`: what belongs to the session has been moved.
 */
export type Rename = { from: string; to: string; at: string; until: string | null; done: boolean }

type NamesHome = Pick<Home, 'names'>

/** What the file was when it was last read: messages are read by thousands, and each one asks. */
type Seen = { path: string; ino: number; mtimeMs: number; size: number; renames: readonly Rename[] }

const NONE: readonly Rename[] = []
let seen: Seen | undefined

/** Every rename, oldest first. Where no session was ever renamed, it costs one look. What is no list of renames has none. */
export function readRenames(home: NamesHome): readonly Rename[] {
  const stat = statSync(home.names, { throwIfNoEntry: false })
  if (stat === undefined) return NONE
  const { ino, mtimeMs, size } = stat
  const same = seen?.path === home.names && seen.ino === ino && seen.mtimeMs === mtimeMs && seen.size === size
  if (seen && same) return seen.renames
  const renames = parseRenames(home)
  seen = { path: home.names, ino, mtimeMs, size, renames }
  return renames
}

/** The name that a session has now which had this name at a time, in milliseconds since 1970. */
export function nameAt(renames: readonly Rename[], name: string, time: number): string {
  let now = name
  let followed = false
  for (const { from, to, until } of renames) {
    // Who is followed from there on had the later names in their time, whoever has them now.
    if (from !== now || !(followed || until === null || time < Date.parse(until))) continue
    now = to
    followed = true
  }
  return now
}

/** The name that a session has now which was last known by this one. */
export function nameNow(home: NamesHome, name: string): string {
  return nameAt(readRenames(home), name, Number.POSITIVE_INFINITY)
}

/** Tells, whenever it is called, the name that the session has by then which has this one now. */
export function nameSince({ home, clock }: Pick<Bus, 'home' | 'clock'>, name: string): () => string {
  const since = clock.now()
  return () => nameAt(readRenames(home), name, since)
}

/** The name that the session has by now which had this one when there were these renames, whatever the clock says. */
export function nameAfter(home: NamesHome, known: readonly Rename[], name: string): string {
  return nameAt(readRenames(home).slice(known.length), name, Number.NEGATIVE_INFINITY)
}

/** The name that is meant by one that somebody gives: a registered session's own, else the new name of one that was renamed. */
export function nameMeant(home: NamesHome, sessions: Record<string, unknown>, name: string): string {
  return Object.hasOwn(sessions, name) ? name : nameNow(home, name)
}

/** Whether a rename, from or to this name where one is given, is under way, or was when its process ended. */
export function isBeingRenamed(home: NamesHome, name?: string): boolean {
  return readRenames(home).some(({ from, to, done }) => !done && (name === undefined || from === name || to === name))
}

/** Whether this very rename is under way. */
export function isUnfinished(home: NamesHome, from: string, to: string): boolean {
  return readRenames(home).some((one) => one.from === from && one.to === to && !one.done)
}

/** Every name under which a session may have written: its own, and those that it had before. */
export function namesEver(home: NamesHome, name: string): string[] {
  const names = new Set([name])
  for (const { from, to } of [...readRenames(home)].reverse()) if (names.has(to)) names.add(from)
  return [...names]
}

/** A message, or what the history or an index has of one, with the names that its sender and its recipient have now. */
export function withNamesNow<T extends Pick<Message, 'id' | 'from' | 'to'>>(home: NamesHome, message: T): T {
  return namerOf(home)(message)
}

/** As `withNamesNow`, for many messages: the renames are looked at once. */
export function namerOf(home: NamesHome): <T extends Pick<Message, 'id' | 'from' | 'to'>>(message: T) => T {
  const renames = readRenames(home)
  if (renames.length === 0) return (message) => message
  return (message) => {
    const time = timeOfId(message.id)
    return { ...message, from: nameAt(renames, message.from, time), to: nameAt(renames, message.to, time) }
  }
}

/** An id of the oldest form tells no time; it is older than any rename. */
export function timeOfId(id: string): number {
  return (parseId(id)?.micros ?? 0) / 1000
}

function parseRenames(home: NamesHome): readonly Rename[] {
  try {
    const value: unknown = JSON.parse(readFileSync(home.names, 'utf8'))
    return Array.isArray(value) ? value.filter(isRename) : NONE
  } catch (error) {
    if (isErrno(error, 'ENOENT') || error instanceof SyntaxError) return NONE
    throw error
  }
}

function isRename(value: unknown): value is Rename {
  if (typeof value !== 'object' || value === null) return false
  const { from, to, at, until, done } = value as Partial<Record<keyof Rename, unknown>>
  const named = [from, to].every((name) => typeof name === 'string' && NAME_PATTERN.test(name))
  return named && typeof at === 'string' && (until === null || typeof until === 'string') && typeof done === 'boolean'
}
