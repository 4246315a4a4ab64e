import { sendersOf } from '../bus/unread.ts'

/** What is unread, in one sentence: a fact, not an order. */
export function unreadFact(ids: string[]): string {
  if (ids.length === 0) return 'No messages are unread.'
  const senders = sendersOf(ids).map((name) => `@${name}`)
  const from = senders.length === 0 ? '' : ` from ${senders.join(', ')}`
  const what = ids.length === 1 ? '1 message is unread' : `${ids.length} messages are unread`
  return `${what}${from}; \`agent-chat inbox\` prints ${ids.length === 1 ? 'it and marks it' : 'them and marks them'} read.`
}
