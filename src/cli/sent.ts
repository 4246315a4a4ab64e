import type { Ports } from './ports.ts'
import type { Posted } from './post.ts'
import { messageJson } from './render/message.ts'

/** Says that a message was sent, as every command that sends does: `sent <id> to @<name>`, or with `--json` the message. */
export function printSent(
  { message, warning, silent }: Posted,
  json: boolean,
  ports: Pick<Ports, 'print' | 'say'>,
): void {
  if (warning !== undefined) ports.say(`agent-chat: ${warning}`)
  ports.print(
    json ? `${JSON.stringify({ ...messageJson(message), ...silent })}\n` : `sent ${message.id} to @${message.to}\n`,
  )
}
