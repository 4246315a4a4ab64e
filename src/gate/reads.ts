import type { Bus } from '../bus/bus.ts'
import type { Message } from '../message/message.ts'
import { noteReads } from '../session/reads.ts'
import { approvalFor, changeLedger, readLedger, spend } from './ledger.ts'

/**
 * Takes note of messages that a session is about to be shown: what it does next may follow from them, and a message from a session that it asked
 * ends that question. Done before they are shown, since a reader that dies in between must not make the gate forget.
 */
export function noteShown(bus: Bus, name: string, messages: Message[]): void {
  if (messages.length === 0) return
  const before = readLedger(bus.home, name)
  const now = bus.clock.now()
  let ledger = before
  const approved = messages.map(({ from }) => {
    if (!approvalFor(ledger, from, now)) return false
    ledger = spend(ledger, from)
    return true
  })
  noteReads(
    bus,
    name,
    messages.map((message, at) => ({ message, approved: approved[at] === true })),
  )
  const answered = messages.map(({ from }) => from).filter((from) => Object.hasOwn(before.questions, from))
  if (answered.length === 0 && !approved.includes(true)) return
  changeLedger(bus, name, (current) => ({
    ...current,
    approvals: ledger.approvals,
    questions: Object.fromEntries(Object.entries(current.questions).filter(([peer]) => !answered.includes(peer))),
  }))
}
