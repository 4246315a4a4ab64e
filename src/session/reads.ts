import { readFileSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { markOf } from '../bus/held.ts'
import type { Home } from '../bus/home.ts'
import { nameNow } from '../bus/names.ts'
import type { Message } from '../message/message.ts'
import { isoTime } from '../message/time.ts'
import { changeFile } from '../system/changeFile.ts'
import { isErrno } from '../system/errno.ts'
import { makeDirectory, namesIn } from '../system/files.ts'

/** A message that a session has read: what it sends next may follow from it. `at` is when it was read (ISO 8601). */
export type Read = {
  id: string
  from: string
  kind: string
  subject?: string
  chain: string
  /** As the message says, or 0 where the human has let its chain go on. */
  hops: number
  at: string
  /** Whether the user had approved messages from this sender beforehand. */
  approved: boolean
}

/** How many messages a session has ever read, where that has been counted, and the last of them, oldest first. */
type Reads = { count: number | undefined; last: Read[] }

/** More than a session reads in one turn. */
const MAX_READS = 100

/** The last messages that a session has read, oldest first. */
export function readReads(home: Pick<Home, 'reads' | 'names'>, name: string): Read[] {
  return readAll(home, name).last.map((read) => ({ ...read, from: nameNow(home, read.from) }))
}

/**
 * How many messages a session has ever read; one that a reader was killed at and that was shown again counts once. Where nothing has counted yet,
 * `read/` is listed, and the number kept.
 */
export function handledCount(bus: Bus, name: string): number {
  const reads = readAll(bus.home, name)
  const count = reads.count ?? countBefore(bus.home, name, reads.last)
  if (reads.count !== undefined || count === 0) return count
  try {
    change(bus, name, (now) => now)
  } catch (error) {
    // Where nothing can be written the number is as good; it is counted again the next time.
    if (!isErrno(error, 'EROFS', 'EACCES')) throw error
  }
  return count
}

/** Remembers messages that a session is about to read, before their marks are dropped. */
export function noteReads(bus: Bus, name: string, messages: { message: Message; approved: boolean }[]): void {
  const at = isoTime(bus.clock.now())
  const reads = messages.slice(-MAX_READS).map(({ message, approved }) => readOf(bus, name, message, approved, at))
  const ids = new Set(reads.map(({ id }) => id))
  change(bus, name, ({ count, last }) => {
    const known = new Set(last.map(({ id }) => id))
    const fresh = messages.filter(({ message }) => !known.has(message.id)).length
    return { count: count + fresh, last: [...last.filter(({ id }) => !ids.has(id)), ...reads].slice(-MAX_READS) }
  })
}

/** Changes what is remembered, one process at a time; where nothing has counted yet, the count begins here. */
function change(bus: Bus, name: string, next: (reads: { count: number; last: Read[] }) => Reads): void {
  const { home, processes } = bus
  const path = home.reads(name)
  makeDirectory(home.states)
  changeFile({ path, lock: `${path}.lock`, processes }, (replace) => {
    const { count, last } = readAll(home, name)
    const reads = next({ count: count ?? countBefore(home, name, last), last })
    replace(`${JSON.stringify(reads)}\n`)
  })
}

/** What was read before anything counted. The last messages may not have been moved into `read/` yet. */
function countBefore(home: Pick<Home, 'readDirectory'>, name: string, last: Read[]): number {
  const files = namesIn(home.readDirectory(name)).filter((file) => file.endsWith('.md'))
  return new Set([...files, ...last.map(({ id }) => `${id}.md`)]).size
}

/** Earlier versions kept the list alone. */
function readAll(home: Pick<Home, 'reads'>, name: string): Reads {
  try {
    const value: unknown = JSON.parse(readFileSync(home.reads(name), 'utf8'))
    if (Array.isArray(value)) return { count: undefined, last: value as Read[] }
    const { count, last }: { count?: unknown; last?: unknown } =
      typeof value === 'object' && value !== null ? value : {}
    return { count: isCount(count) ? count : undefined, last: Array.isArray(last) ? (last as Read[]) : [] }
  } catch (error) {
    if (isErrno(error, 'ENOENT') || error instanceof SyntaxError) return { count: undefined, last: [] }
    throw error
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function readOf(bus: Bus, name: string, message: Message, approved: boolean, at: string): Read {
  const { id, from, kind, subject, chain, hops } = message
  const resumed = markOf(bus.home, name, id)?.ring === 'resumed'
  return {
    id,
    from,
    kind,
    ...(subject === undefined ? {} : { subject }),
    chain,
    hops: resumed ? 0 : hops,
    at,
    approved,
  }
}
