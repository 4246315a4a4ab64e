import { sendMessage } from '../../bus/mail/send.ts'
import { announceSoon } from '../../chat/announce.ts'
import type { Ports } from '../../chat/ports.ts'
import { HUMAN, PROGRAM } from '../../message/name.ts'

/** Tells the human that a worker is not started again by itself, and why. */
export function tellFailed(
  name: string,
  reason: string,
  ports: Pick<Ports, 'bus' | 'env' | 'self'>,
): void {
  const { message } = sendMessage(ports.bus(), {
    from: PROGRAM,
    to: HUMAN,
    kind: 'note',
    subject: `@${name} has failed`,
    body: [
      `The worker @${name} is not started again: ${reason}.`,
      `Its messages are kept. See what it printed with \`agent-chat logs ${name}\`; start it again with \`agent-chat restart ${name}\`.`,
    ].join('\n\n'),
  })
  announceSoon(message.id, ports)
}
