import { escalationOf } from '../../message/escalation.ts'
import type { Message } from '../../message/message.ts'
import { ADDRESS_PATTERN, HUMAN, PROGRAM } from '../../message/name.ts'
import { priorityOf } from '../../message/priority.ts'

/**
 * All that is said of a message on a terminal or a desktop, one line: who, what they want, and
 * where to read it; or that a message is held, and the command that lets it go on. Nothing that a
 * sender wrote stands in it but a name that was checked and a number.
 */
export function humanText(message: Pick<Message, 'from' | 'kind' | 'extra'>): string {
  const { held_by: holder, held_chain: chain } = message.extra
  if (message.from === PROGRAM && isName(holder) && isShortId(chain))
    return `a message to @${holder} is held: agent-chat release ${chain}`
  const who = isName(message.from) ? `@${message.from}` : 'somebody'
  const urgently = priorityOf(message) === 'urgent' ? 'urgently ' : ''
  return `${who} ${urgently}${wantOf(message)}: agent-chat inbox ${HUMAN}`
}

function isShortId(text: unknown): text is string {
  return typeof text === 'string' && /^\w{1,40}$/.test(text)
}

function isName(text: unknown): text is string {
  return typeof text === 'string' && ADDRESS_PATTERN.test(text)
}

function wantOf(message: Pick<Message, 'kind' | 'extra'>): string {
  const decision = escalationOf(message)
  if (decision) return `needs your decision (#${decision.number})`
  return message.kind === 'question' ? 'asks you' : 'writes to you'
}
