import { existsSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import { type Posted, postedJson } from '../../chat/post.ts'
import { hostOf } from '../../message/address.ts'
import type { Message } from '../../message/message.ts'
import { shortId } from '../../message/shortId.ts'
import type { Ports } from '../ports.ts'

/** Says, as every command that sends does, that a message was sent, or prints it as JSON. */
export async function printSent(
  posted: Posted,
  json: boolean,
  ports: Pick<Ports, 'print' | 'notice' | 'bus'>,
): Promise<void> {
  const { message, warning } = posted
  if (warning !== undefined) ports.notice(warning)
  ports.print(
    `${json ? JSON.stringify(postedJson(posted)) : await sentText(message, ports.bus())}\n`,
  )
  tellPaused(ports)
}

/** Whoever sends while all is silent should not wait for somebody to wake. */
export function tellPaused({ bus, notice }: Pick<Ports, 'notice' | 'bus'>): void {
  if (existsSync(bus().home.paused)) notice('all doorbells are paused: agent-chat unpause')
}

/** A message for another machine is only queued, whatever comes of it within the next moment. */
export async function sentText(message: Message, bus: Bus): Promise<string> {
  if (hostOf(message.to) === undefined) return `sent ${shortId(message.id)} to @${message.to}`
  return (await import('../../chat/remote/words.ts')).queuedText(bus, message)
}
