import { existsSync } from 'node:fs'
import { type Posted, postedJson } from '../../chat/post.ts'
import { shortId } from '../../message/shortId.ts'
import type { Ports } from '../ports.ts'

/** Says, as every command that sends does, that a message was sent, or prints it as JSON. */
export function printSent(
  posted: Posted,
  json: boolean,
  ports: Pick<Ports, 'print' | 'notice' | 'bus'>,
): void {
  const { message, warning } = posted
  if (warning !== undefined) ports.notice(warning)
  ports.print(
    json
      ? `${JSON.stringify(postedJson(posted))}\n`
      : `sent ${shortId(message.id)} to @${message.to}\n`,
  )
  tellPaused(ports)
}

/** Whoever sends while all is silent should not wait for somebody to wake. */
export function tellPaused({ bus, notice }: Pick<Ports, 'notice' | 'bus'>): void {
  if (existsSync(bus().home.paused)) notice('all doorbells are paused: agent-chat unpause')
}
