import { statSync } from 'node:fs'
import { timeOfId } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { NAME_PATTERN } from '../../message/name.ts'
import { readJson } from '../../system/json.ts'
import type { Bus } from '../bus.ts'
import type { Home } from '../home.ts'

/*
 * Messages and events are never changed: they hold the names of their time. Which function tells
 * the name that a session has now depends on what is known of the old one:
 *
 * | the name comes from                                    | ask                              |
 * |--------------------------------------------------------|----------------------------------|
 * | a message, or what the history or an index has of it   | `withNamesNow`; many: `namerOf`  |
 * | something else with a time: an event, the id of a file | `nameAt`                         |
 * | a file that is kept up to date: ledger, reads, asks    | `nameNow`                        |
 * | somebody who gives it now, where the registry is read  | `nameMeant`, in `registry.ts`    |
 * | this process, which has held it since it began to wait | `nameSince`                      |
 * | the same, where no clock may decide: under a lock      | `nameAfter`                      |
 *
 * Names are mapped where they come in: `readMessageFile()`, `eventsFromEnd()`, and the readers of
 * the files named above. Whoever gets a message from these need not ask again, unless they wait.
 */

/**
 * A session took another name, at `at` (ISO 8601). Its old name stands for the new one until
 * another session takes the old one (`until`), and in what was written before that for good.
 * `done`: all that belongs to the session has been moved.
 */
export type Rename = { from: string; to: string; at: string; until: string | null; done: boolean }

type NamesHome = Pick<Home, 'names'>

/** The list as it was last read: messages are read by thousands, and each one asks. */
type Seen = { path: string; version: string; renames: readonly Rename[] }

const NONE: readonly Rename[] = []
let seen: Seen | undefined

/**
 * Every rename, oldest first. Where no session was ever renamed, it costs one look. An unreadable
 * file counts as empty.
 */
export function readRenames(home: NamesHome): readonly Rename[] {
  const version = renamesVersion(home)
  if (version === '') return NONE
  if (seen?.path !== home.names || seen.version !== version)
    seen = { path: home.names, version, renames: parseRenames(home) }
  return seen.renames
}

/** Another text for each state of the list: where it is the same, no rename came in between. */
export function renamesVersion(home: NamesHome): string {
  const stat = statSync(home.names, { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.ino} ${stat.mtimeMs} ${stat.size}`
}

/** The name that a session has now which had this name at a time, in milliseconds since 1970. */
export function nameAt(renames: readonly Rename[], name: string, time: number): string {
  let now = name
  let followed = false
  for (const { from, to, until } of renames) {
    // After the first hop `until` no longer matters: the session owned the later names then.
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
export function nameSince(
  { home, clock }: Pick<Bus, 'home' | 'clock'>,
  name: string,
): () => string {
  const since = clock.now()
  return () => nameAt(readRenames(home), name, since)
}

/** The name that the session has by now which had this one when `known` was the list of renames. */
export function nameAfter(home: NamesHome, known: readonly Rename[], name: string): string {
  return nameAt(readRenames(home).slice(known.length), name, Number.NEGATIVE_INFINITY)
}

/** Whether a rename is under way, or was when its process ended; with `name`, one from or to it. */
export function isBeingRenamed(home: NamesHome, name?: string): boolean {
  return readRenames(home).some(
    ({ from, to, done }) => !done && (name === undefined || from === name || to === name),
  )
}

/** Whether this very rename is under way. */
export function isUnfinished(home: NamesHome, from: string, to: string): boolean {
  return readRenames(home).some((one) => one.from === from && one.to === to && !one.done)
}

/** Every name under which a session may have written: its own, and those it had before. */
export function namesEver(home: NamesHome, name: string): string[] {
  const names = new Set([name])
  for (const { from, to } of [...readRenames(home)].reverse()) if (names.has(to)) names.add(from)
  return [...names]
}

/** A message with the names that its sender and its recipient have now. */
export function withNamesNow<T extends Pick<Message, 'id' | 'from' | 'to'>>(
  home: NamesHome,
  message: T,
): T {
  return namerOf(home)(message)
}

/** As `withNamesNow`, for many messages: the renames are looked at once. */
export function namerOf(
  home: NamesHome,
): <T extends Pick<Message, 'id' | 'from' | 'to'>>(message: T) => T {
  const renames = readRenames(home)
  if (renames.length === 0) return (message) => message
  return (message) => {
    const time = timeOfId(message.id)
    return {
      ...message,
      from: nameAt(renames, message.from, time),
      to: nameAt(renames, message.to, time),
    }
  }
}

function parseRenames(home: NamesHome): readonly Rename[] {
  const value = readJson(home.names)
  return Array.isArray(value) ? value.filter(isRename) : NONE
}

function isRename(value: unknown): value is Rename {
  if (typeof value !== 'object' || value === null) return false
  const { from, to, at, until, done } = value as Partial<Record<keyof Rename, unknown>>
  const named = [from, to].every((name) => typeof name === 'string' && NAME_PATTERN.test(name))
  return (
    named &&
    typeof at === 'string' &&
    (until === null || typeof until === 'string') &&
    typeof done === 'boolean'
  )
}
