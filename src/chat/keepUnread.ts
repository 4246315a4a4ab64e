import type { Message } from '../message/message.ts'
import { visibleLine } from '../message/visible.ts'
import type { Identity } from '../session/identity.ts'
import { noteSeen } from '../session/rings.ts'
import type { Ports } from './ports.ts'

/**
 * Leaves messages unread that were printed where `taker` may have passed only some of it on, and
 * says so. Their session is not woken for what it has looked at; one that a person names may be.
 */
export function keepUnread(
  { name, source }: Identity,
  messages: Message[],
  taker: string,
  ports: Pick<Ports, 'bus' | 'notice'>,
): void {
  if (messages.length === 0) return
  const ids = messages.map(({ id }) => id)
  if (source !== 'argument') noteSeen(ports.bus(), name, ids)
  const stay = messages.length === 1 ? 'the message stays' : 'the messages stay'
  const again = `agent-chat inbox${source === 'argument' ? ` ${name}` : ''}`
  ports.notice(
    `${stay} unread: the output went to ${visibleLine(taker)}, which may show only some of it; read with: ${again}`,
  )
}
