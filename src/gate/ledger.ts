import { readFileSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { nameNow } from '../bus/names.ts'
import { changeFile } from '../system/changeFile.ts'
import { isErrno } from '../system/errno.ts'
import { makeDirectory } from '../system/files.ts'
import { RECENT_MS } from './rules.ts'

/** Messages to or from a session that the user approved beforehand: how many are left (null: no limit), until when (null: for good). */
export type Approval = { left: number | null; until: string | null; at: string }

/** What the gate remembers of a session. Losing it closes what was open, and opens nothing but the count of a few minutes. */
export type Ledger = {
  approvals: Record<string, Approval>
  /** Questions that wait for an answer, by recipient; one without an id is being sent. */
  questions: Record<string, { id: string; at: string }>
  /** How many answers the messages have that were answered in the last minutes, by id: an answer may be on its way to where the next one would find it. */
  answers: Record<string, { count: number; at: string }>
  /** When its last messages were sent, in milliseconds since 1970. */
  sent: number[]
}

/** Many commands of one line may send at once, on a busy machine. */
const LOCK_MS = 2000

/** Far longer than a message takes to be sent. */
const SENDING_MS = 10_000

const NOTHING: Ledger = { approvals: {}, questions: {}, answers: {}, sent: [] }

/** Peers go by the names that they have now. */
export function readLedger(home: Pick<Home, 'gate' | 'names'>, name: string): Ledger {
  try {
    const value: unknown = JSON.parse(readFileSync(home.gate(name), 'utf8'))
    const ledger: Ledger = { ...NOTHING, ...(typeof value === 'object' ? value : {}) }
    return { ...ledger, approvals: byNameNow(home, ledger.approvals), questions: byNameNow(home, ledger.questions) }
  } catch (error) {
    if (isErrno(error, 'ENOENT') || error instanceof SyntaxError) return NOTHING
    throw error
  }
}

/** Changes a session's ledger, one process at a time; `change` may be asked again: see `changeFile()`. */
export function changeLedger(bus: Bus, name: string, change: (ledger: Ledger) => Ledger): Ledger {
  return inLedger(bus, name, (ledger) => {
    const next = change(ledger)
    return [next, next]
  })
}

/** As `changeLedger`, where something is decided with the change; the same ledger is left as it is. */
export function inLedger<T>(bus: Bus, name: string, decide: (ledger: Ledger) => [next: Ledger, decided: T]): T {
  const { home, processes } = bus
  makeDirectory(home.gates)
  const file = { path: home.gate(name), lock: home.gateLock(name), processes, lockMs: LOCK_MS }
  return changeFile(file, (replace) => {
    const before = readLedger(home, name)
    const [next, decided] = decide(before)
    if (next !== before) replace(`${JSON.stringify(next)}\n`)
    return decided
  })
}

/** Whether a question to `peer` waits for its answer. One that was to be sent, by a process that was killed, does not for long. */
export function isQuestionOpen(ledger: Ledger, peer: string, now: number): boolean {
  const question = Object.hasOwn(ledger.questions, peer) ? ledger.questions[peer] : undefined
  return question !== undefined && (question.id !== '' || Date.parse(question.at) > now - SENDING_MS)
}

/** The approval that holds now for messages to or from `peer`, or undefined. */
export function approvalFor(ledger: Ledger, peer: string, now: number): Approval | undefined {
  const approval = Object.hasOwn(ledger.approvals, peer) ? ledger.approvals[peer] : undefined
  if (!approval || (approval.until !== null && Date.parse(approval.until) <= now)) return undefined
  return approval.left === null || approval.left > 0 ? approval : undefined
}

/** The ledger after one message to or from `peer` has gone by under its approval. */
export function spend(ledger: Ledger, peer: string): Ledger {
  const approval = Object.hasOwn(ledger.approvals, peer) ? ledger.approvals[peer] : undefined
  if (!approval || approval.left === null) return ledger
  return { ...ledger, approvals: { ...ledger.approvals, [peer]: { ...approval, left: approval.left - 1 } } }
}

function byNameNow<T>(home: Pick<Home, 'names'>, entries: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [nameNow(home, name), entry]))
}

/** How many messages were sent in the ten minutes before `now`. */
export function recentlySent(ledger: Ledger, now: number): number[] {
  return ledger.sent.filter((at) => at > now - RECENT_MS && at <= now)
}
