import { sendersIn } from '../bus/mail/unread.ts'

/**
 * What a doorbell says of these messages. Nothing that a sender wrote stands in it but the checked
 * name; a message whose name tells no sender counts without one.
 */
export function ringText(ids: string[]): string {
  const senders = sendersIn(ids).map((name) => `@${name}`)
  const from = senders.length === 0 ? '' : ` from ${senders.join(', ')}`
  return ids.length === 1
    ? `New message${from}. Check inbox.`
    : `${ids.length} new messages${from}. Check inbox.`
}
