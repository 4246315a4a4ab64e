import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { markOf } from '../bus/mail/marks.ts'
import { nameNow } from '../bus/names/names.ts'
import { freeDepth } from '../message/free.ts'
import type { Message } from '../message/message.ts'
import { isoTime } from '../message/time.ts'
import { changeFile } from '../system/changeFile.ts'
import { isErrno } from '../system/errno.ts'
import { makeDirectory, namesIn } from '../system/files.ts'
import { readJson } from '../system/json.ts'

/** A message that a session read `at` (ISO 8601). Its next message may follow from it. */
export type Read = {
  id: string
  from: string
  kind: string
  subject?: string
  chain: string
  /** As the message says, or 0 where the human has let its chain go on. */
  hops: number
  /** Of a message that was free of the count: how deep the path was that it ends. */
  depth?: number
  at: string
  /** Whether the user had approved messages from this sender beforehand. */
  approved: boolean
}

/** How many messages were ever read, if something has counted; the last of them, oldest first. */
type Reads = { count: number | undefined; last: Read[] }

/** More than a session reads in one turn. */
const MAX_READS = 100

/** The last messages that a session has read, oldest first. */
export function readReads(home: Pick<Home, 'reads' | 'names'>, name: string): Read[] {
  return readAll(home, name).last.map((read) => ({ ...read, from: nameNow(home, read.from) }))
}

/**
 * How many messages a session has ever read. A message that was shown again, because its reader was
 * killed, counts once. Where nothing has counted yet, `read/` is listed, and the number kept.
 */
export function handledCount(bus: Bus, name: string): number {
  const reads = readAll(bus.home, name)
  const count = reads.count ?? countBefore(bus.home, name, reads.last)
  if (reads.count !== undefined || count === 0) return count
  try {
    change(bus, name, (now) => now)
  } catch (error) {
    // Where nothing can be written the number is as good, and is counted again the next time.
    if (!isErrno(error, 'EROFS', 'EACCES')) throw error
  }
  return count
}

/** Remembers messages that a session is about to read, before their marks are dropped. */
export function noteReads(
  bus: Bus,
  name: string,
  messages: { message: Message; approved: boolean }[],
): void {
  const at = isoTime(bus.clock.now())
  const reads = messages
    .slice(-MAX_READS)
    .map(({ message, approved }) => readOf(bus, name, message, approved, at))
  const ids = new Set(reads.map(({ id }) => id))
  change(bus, name, ({ count, last }) => {
    const known = new Map(last.map(({ id, approved }) => [id, approved]))
    const fresh = messages.filter(({ message }) => !known.has(message.id)).length
    // What was approved when it was shown first goes on being so.
    const now = reads.map((read) => ({
      ...read,
      approved: read.approved || known.get(read.id) === true,
    }))
    return {
      count: count + fresh,
      last: [...last.filter(({ id }) => !ids.has(id)), ...now].slice(-MAX_READS),
    }
  })
}

/** One process at a time changes the reads. Where nothing has counted yet, the count begins. */
function change(
  bus: Bus,
  name: string,
  next: (reads: { count: number; last: Read[] }) => Reads,
): void {
  const { home, processes } = bus
  const path = home.reads(name)
  makeDirectory(home.states)
  changeFile({ path, lock: `${path}.lock`, processes }, (replace) => {
    const { count, last } = readAll(home, name)
    const reads = next({ count: count ?? countBefore(home, name, last), last })
    replace(`${JSON.stringify(reads)}\n`)
  })
}

/** How many messages were read before anything counted. The last ones may not be in `read/` yet. */
function countBefore(home: Pick<Home, 'readDirectory'>, name: string, last: Read[]): number {
  const files = namesIn(home.readDirectory(name)).filter((file) => file.endsWith('.md'))
  return new Set([...files, ...last.map(({ id }) => `${id}.md`)]).size
}

/** Earlier versions kept the list alone. */
function readAll(home: Pick<Home, 'reads'>, name: string): Reads {
  const value = readJson(home.reads(name))
  if (Array.isArray(value)) return { count: undefined, last: value as Read[] }
  const { count, last }: { count?: unknown; last?: unknown } =
    typeof value === 'object' && value !== null ? value : {}
  return {
    count: isCount(count) ? count : undefined,
    last: Array.isArray(last) ? (last as Read[]) : [],
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function readOf(bus: Bus, name: string, message: Message, approved: boolean, at: string): Read {
  const { id, from, kind, subject, chain, hops } = message
  const resumed = markOf(bus.home, name, id)?.ring === 'resumed'
  const depth = resumed ? undefined : freeDepth(message)
  return {
    id,
    from,
    kind,
    ...(subject === undefined ? {} : { subject }),
    chain,
    hops: resumed ? 0 : hops,
    ...(depth === undefined ? {} : { depth }),
    at,
    approved,
  }
}
