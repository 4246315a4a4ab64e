import type { Bus } from '../../bus/bus.ts'
import type { Home } from '../../bus/home.ts'
import { nameNow } from '../../bus/names/names.ts'
import { changeFile } from '../../system/changeFile.ts'
import { makeDirectory } from '../../system/files.ts'
import { readJson } from '../../system/json.ts'
import { RECENT_MS } from './limits.ts'

/** Messages with a session that the user approved: how many are left, until when; null: no end. */
export type Approval = { left: number | null; until: string | null; at: string }

/**
 * The gate's memory of a session. If it is lost, open questions and approvals are forgotten, and
 * the ten-minute counter starts at 0.
 */
export type Ledger = {
  approvals: Record<string, Approval>
  /** Questions that wait for an answer, by recipient; one without an id is being sent. */
  questions: Record<string, { id: string; at: string }>
  /**
   * How many answers each message was given in the last minutes, by its id: an answer may be on its
   * way to where the next one would find it. `ended`: one of them was free, and no other is.
   */
  answers: Record<string, { count: number; at: string; ended?: true }>
  /** When its last messages were sent, in milliseconds since 1970. */
  sent: number[]
  /** Those of them that were to the human. */
  toHuman: number[]
}

/** Many commands of one line may send at once, on a busy machine. In milliseconds. */
const LOCK_MS = 2000

/** Far longer than a message takes to be sent. In milliseconds. */
const SENDING_MS = 10_000

const NOTHING: Ledger = { approvals: {}, questions: {}, answers: {}, sent: [], toHuman: [] }

/** Peers have the names that they have now. */
export function readLedger(home: Pick<Home, 'gate' | 'names'>, name: string): Ledger {
  const value = readJson(home.gate(name))
  const ledger: Ledger = { ...NOTHING, ...(typeof value === 'object' ? value : {}) }
  return {
    ...ledger,
    approvals: byNameNow(home, ledger.approvals),
    questions: byNameNow(home, ledger.questions),
  }
}

/** One process at a time changes a ledger; `change` may be asked again: see `changeFile()`. */
export function changeLedger(bus: Bus, name: string, change: (ledger: Ledger) => Ledger): Ledger {
  return inLedger(bus, name, (ledger) => {
    const next = change(ledger)
    return [next, next]
  })
}

/** As `changeLedger`, where the change also decides. The same ledger is not written again. */
export function inLedger<T>(
  bus: Bus,
  name: string,
  decide: (ledger: Ledger) => [next: Ledger, decided: T],
): T {
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

/**
 * Whether a question to `peer` waits for its answer. A question without an id is being sent; after
 * ten seconds its process was killed, and it waits no more.
 */
export function isQuestionOpen(ledger: Ledger, peer: string, now: number): boolean {
  const question = Object.hasOwn(ledger.questions, peer) ? ledger.questions[peer] : undefined
  return (
    question !== undefined && (question.id !== '' || Date.parse(question.at) > now - SENDING_MS)
  )
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
  return {
    ...ledger,
    approvals: { ...ledger.approvals, [peer]: { ...approval, left: approval.left - 1 } },
  }
}

function byNameNow<T>(home: Pick<Home, 'names'>, entries: Record<string, T>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [nameNow(home, name), entry]),
  )
}

/** When messages were sent in the ten minutes before `now`; `toHuman`: to the human alone. */
export function recentlySent(ledger: Ledger, now: number, toHuman = false): number[] {
  const times = toHuman ? ledger.toHuman : ledger.sent
  return times.filter((at) => at > now - RECENT_MS && at <= now)
}
