import { readFileSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { markOf } from '../bus/held.ts'
import type { Home } from '../bus/home.ts'
import type { Message } from '../message/message.ts'
import { isErrno } from '../system/errno.ts'
import { makeDirectory, replaceFileSoon } from '../system/files.ts'
import { withPidLock } from '../system/pidlock.ts'

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

/** More than a session reads in one turn. */
const MAX_READS = 100
const LOCK_MS = 500

/** The last messages that a session has read, oldest first. */
export function readReads(home: Pick<Home, 'reads'>, name: string): Read[] {
  try {
    const value: unknown = JSON.parse(readFileSync(home.reads(name), 'utf8'))
    return Array.isArray(value) ? (value as Read[]) : []
  } catch (error) {
    if (isErrno(error, 'ENOENT') || error instanceof SyntaxError) return []
    throw error
  }
}

/** Remembers messages that a session is about to read, before their marks are dropped. */
export function noteReads(bus: Bus, name: string, messages: { message: Message; approved: boolean }[]): void {
  const at = new Date(bus.clock.now()).toISOString()
  const reads = messages.slice(-MAX_READS).map(({ message, approved }) => readOf(bus, name, message, approved, at))
  const ids = new Set(reads.map(({ id }) => id))
  makeDirectory(bus.home.states)
  withPidLock(`${bus.home.reads(name)}.lock`, bus.processes, LOCK_MS, () => {
    const all = [...readReads(bus.home, name).filter(({ id }) => !ids.has(id)), ...reads].slice(-MAX_READS)
    replaceFileSoon(bus.home.reads(name), `${JSON.stringify(all)}\n`)
  })
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
