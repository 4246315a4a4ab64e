import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { markRead } from '../bus/mail/inbox.ts'
import { asOnlyReader } from '../bus/mail/reader.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import { noteShown } from '../trust/sendGate/shown.ts'

/**
 * Marks those of the messages that are unread for the human, as `inbox human` does: the gate knows
 * of them before they are marked.
 */
export function markSeen(bus: Bus, messages: Message[]): Promise<void> {
  return asOnlyReader(bus, HUMAN, () => {
    const unread = messages.filter(({ id }) => existsSync(bus.home.unread(HUMAN, id)))
    noteShown(bus, HUMAN, unread)
    for (const { id } of unread) markRead(bus, HUMAN, id)
  })
}
