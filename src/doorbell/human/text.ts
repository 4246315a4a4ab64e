import { escalationOf } from '../../message/escalation.ts'
import type { Message } from '../../message/message.ts'
import { ADDRESS_PATTERN, HUMAN } from '../../message/name.ts'
import { priorityOf } from '../../message/priority.ts'

/**
 * All that is said of a message on a terminal or a desktop, one line: who, what they want, and
 * where to read it. Nothing that a sender wrote stands in it but a name that was checked and a
 * number.
 */
export function humanText(message: Pick<Message, 'from' | 'kind' | 'extra'>): string {
  const who = ADDRESS_PATTERN.test(message.from) ? `@${message.from}` : 'somebody'
  const urgently = priorityOf(message) === 'urgent' ? 'urgently ' : ''
  return `${who} ${urgently}${wantOf(message)}: agent-chat inbox ${HUMAN}`
}

function wantOf(message: Pick<Message, 'kind' | 'extra'>): string {
  const decision = escalationOf(message)
  if (decision) return `needs your decision (#${decision.number})`
  return message.kind === 'question' ? 'asks you' : 'writes to you'
}
