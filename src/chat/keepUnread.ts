import type { Message } from '../message/message.ts'
import { visibleLine } from '../message/visible.ts'
import type { Identity } from '../session/identity.ts'
import { noteSeen } from '../session/rings.ts'
import { subagentHere } from '../session/subagentCalls.ts'
import type { Ports } from './ports.ts'

/**
 * Why messages stay unread that are shown: `taker` may pass only some of the output on; or a
 * `subagent` reads, and the conversation that they are for has not seen them.
 */
export type Keep = { taker: string } | { subagent: string }

/** Undefined where whoever these messages are for gets them whole. */
export function whyKept(
  { name }: Pick<Identity, 'name'>,
  taker: string | undefined,
  { bus, env }: Pick<Ports, 'bus' | 'env'>,
): Keep | undefined {
  const caller = subagentHere(name, bus(), env)
  if (caller) return { subagent: name }
  return taker === undefined ? undefined : { taker }
}

/**
 * Leaves messages unread, and says why. Their session is not woken for what it has looked at; one
 * that a person names may be, and so may one whose subagent has looked.
 */
export function keepUnread(
  { name, source }: Identity,
  messages: Message[],
  keep: Keep,
  ports: Pick<Ports, 'bus' | 'notice'>,
): void {
  if (messages.length === 0) return
  const ids = messages.map(({ id }) => id)
  if (source !== 'argument' && 'taker' in keep) noteSeen(ports.bus(), name, ids)
  const stay = messages.length === 1 ? 'the message stays' : 'the messages stay'
  const again = `agent-chat inbox${source === 'argument' ? ` ${name}` : ''}`
  const why =
    'taker' in keep
      ? `the output went to ${visibleLine(keep.taker)}, which may show only some of it; read with: ${again}`
      : `a subagent of @${keep.subagent} reads here; the main conversation reads with: ${again}`
  ports.notice(`${stay} unread: ${why}`)
}
