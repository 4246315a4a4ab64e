import { sendersIn } from '../bus/mail/unread.ts'

/** What is unread, in one sentence: a fact, not an order. */
export function unreadFact(ids: string[]): string {
  if (ids.length === 0) return `${unreadCount(ids)}.`
  const them = ids.length === 1 ? 'it' : 'them'
  return `${unreadCount(ids)}; \`agent-chat inbox\` prints ${them} and marks ${them} read.`
}

/** How much is unread, and from whom. */
export function unreadCount(ids: string[]): string {
  if (ids.length === 0) return 'No messages are unread'
  const senders = sendersIn(ids).map((name) => `@${name}`)
  const from = senders.length === 0 ? '' : ` from ${senders.join(', ')}`
  return `${ids.length === 1 ? '1 message is' : `${ids.length} messages are`} unread${from}`
}
