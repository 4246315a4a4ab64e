import type { Bus } from '../../bus/bus.ts'
import { sendersNow, unreadIds } from '../../bus/mail/unread.ts'
import { timeOfId } from '../../message/id.ts'
import { type Read, readReads } from '../../session/reads.ts'
import { idsOf, readRings } from '../../session/ringsFile.ts'
import type { Turn } from '../../session/turn.ts'
import { approvalFor, readLedger } from './ledger.ts'
import { RECENT_MS } from './limits.ts'

/** The senders whom a turn is about, and whether the user approved all of it beforehand. */
export type Causes = {
  senders: Pick<Read, 'from'>[]
  subject: string | undefined
  approved: boolean
}

/**
 * The messages that a session's turn is about: those it has read since the turn began or, where
 * nothing tells of turns, in the last ten minutes.
 */
export function causesOf(bus: Bus, name: string, turn: Turn | undefined): Read[] {
  const since = turn ? Date.parse(turn.at) : bus.clock.now() - RECENT_MS
  return readReads(bus.home, name).filter(({ at }) => Date.parse(at) >= since)
}

/** The senders of these messages, each once, as `@a, @b`. */
export function sendersText(reads: Pick<Read, 'from'>[]): string {
  return [...new Set(reads.map(({ from }) => `@${from}`))].join(', ')
}

/**
 * The causes of a turn. They are approved where the user approved every message read in it
 * beforehand, and no message from another sender waits unread: a model can have read that in other
 * ways than with `inbox`.
 */
export function approvedCauses(bus: Bus, name: string, turn: Turn | undefined): Causes {
  const reads = causesOf(bus, name, turn)
  const subject = reads.find((read) => read.subject !== undefined)?.subject
  const all = reads.length > 0 && reads.every(({ approved }) => approved)
  const others = all ? unapprovedUnread(bus, name, turn) : []
  return others.length === 0
    ? { senders: reads, subject, approved: all }
    : { senders: [...reads, ...others], subject: undefined, approved: false }
}

/**
 * The senders, not approved, of unread messages that the session may know of: messages from before
 * its turn, and messages that a doorbell has rung for.
 */
function unapprovedUnread(
  { home, clock }: Bus,
  name: string,
  turn: Turn | undefined,
): { from: string }[] {
  const rung = new Set(readRings(home, name).groups.flatMap(idsOf))
  const began = turn ? Date.parse(turn.at) : clock.now()
  const known = unreadIds(home, name).filter((id) => rung.has(id) || timeOfId(id) < began)
  if (known.length === 0) return []
  const ledger = readLedger(home, name)
  return sendersNow(home, known)
    .filter((from) => approvalFor(ledger, from, clock.now()) === undefined)
    .map((from) => ({ from }))
}
