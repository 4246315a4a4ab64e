import type { Bus } from '../../bus/bus.ts'
import type { Message } from '../../message/message.ts'
import { noteReads, readReads } from '../../session/reads.ts'
import { approvalFor, inLedger, readLedger, spend } from './ledger.ts'

/**
 * Notes messages that a session is about to be shown: its next message may follow from them, and a
 * message from a session that it asked ends that question. Called before they are shown: a reader
 * that dies in between must not make the gate forget.
 */
export function noteShown(bus: Bus, name: string, messages: Message[]): void {
  if (messages.length === 0) return
  const approved = takeShown(bus, name, messages)
  noteReads(
    bus,
    name,
    messages.map((message, at) => ({ message, approved: approved[at] === true })),
  )
}

/** Spends approvals and ends questions. Gives for each message whether it was approved. */
function takeShown(bus: Bus, name: string, messages: Message[]): boolean[] {
  const now = bus.clock.now()
  const known = readLedger(bus.home, name)
  const senders = new Set(messages.map(({ from }) => from))
  // Most inboxes change nothing here, and need no lock.
  if (
    ![...senders].some(
      (from) => approvalFor(known, from, now) || Object.hasOwn(known.questions, from),
    )
  )
    return messages.map(() => false)
  return inLedger(bus, name, (ledger) => {
    let next = ledger
    const before = new Set(
      readReads(bus.home, name).flatMap(({ id, approved }) => (approved ? [id] : [])),
    )
    const approved = messages.map(({ id, from }) => {
      // One that is shown again has spent its approval.
      if (before.has(id) || !approvalFor(next, from, now)) return before.has(id)
      next = spend(next, from)
      return true
    })
    const open = Object.entries(next.questions).filter(([peer]) => !senders.has(peer))
    return [{ ...next, questions: Object.fromEntries(open) }, approved]
  })
}
