import type { Look } from '../../chat/ask/answer.ts'
import type { Message } from '../../message/message.ts'
import { shortId } from '../../message/shortId.ts'
import type { Ports } from '../ports.ts'
import { failedText } from './failed.ts'

/**
 * Where it is told what the other side is doing while one waits. To close it again does nothing.
 */
export type StatusLine = { show: (question: Message, look: Look) => void; close: () => void }

/** Says nothing. */
export const NO_LINE: StatusLine = { show: () => {}, close: () => {} }

/**
 * One line on standard error: at a terminal always the same one, elsewhere a new one when there is
 * something to say.
 */
export async function openLine(
  ports: Pick<Ports, 'isTerminal' | 'notice' | 'talk' | 'env' | 'bus'>,
): Promise<StatusLine> {
  const canErase = ports.env.TERM !== 'dumb' && (await ports.isTerminal('stderr'))
  return canErase ? terminalLine(ports) : plainLines(ports)
}

function terminalLine(ports: Pick<Ports, 'talk' | 'bus'>): StatusLine {
  let shown = ''
  return {
    show: (question, look) => {
      const text = `waiting for @${question.to}: ${describe(look, ports.bus().clock.now())} · Ctrl-C stops waiting; the question stays open`
      if (text === shown) return
      shown = text
      // Without automatic wrapping a long text is cut at the margin. The cursor goes back to where
      // it was, so that what is typed there, as the ^C that a terminal shows, stays on this line
      // and is erased with it.
      ports.talk(`\r\u001b[K\u001b[?7l${text}\u001b[?7h\r`)
    },
    close: () => {
      if (shown !== '') ports.talk('\r\u001b[K')
      shown = ''
    },
  }
}

/**
 * What is waited for is worth a line, so that whoever finds this wait killed can go on with it; and
 * a turn's end, also a failed one's, and an open dialog, each time they begin. That somebody is at
 * work is not.
 */
function plainLines(ports: Pick<Ports, 'notice' | 'bus'>): StatusLine {
  let before: Look['side'] | undefined
  let waited: string | undefined
  let written: string | undefined
  let failedAt: string | undefined
  return {
    show: ({ id, to }, { side, wrote, other: { waits, failed } }) => {
      if (before === undefined) ports.notice(`waiting for the answer of @${to} to ${shortId(id)}`)
      if (failed && failed.at !== failedAt)
        ports.notice(
          `@${to}: ${failedText({ failed }, ports.bus().clock.now())}. Still waiting for a reply.`,
        )
      if (side !== before && side === 'idle' && !failed)
        ports.notice(`@${to} finished its turn without answering. Still waiting for a reply.`)
      if (side !== before && side === 'asking')
        ports.notice(`@${to} has a dialog open and waits for its user. Still waiting for a reply.`)
      if (waits !== undefined && waits !== waited) ports.notice(notDelivered(waits))
      if (wrote !== undefined && wrote !== written)
        ports.notice(`@${to} ${describeWritten(wrote)}. Still waiting for a reply.`)
      written = wrote
      before = side
      failedAt = failed?.at
      waited = waits
    },
    close: () => {},
  }
}

const notDelivered = (why: string) => `the question is not delivered yet: ${why}`

const describeWritten = (id: string) =>
  `wrote ${shortId(id)}, which does not answer the question: agent-chat inbox`

function describe({ side, other, wrote }: Look, now: number): string {
  if (wrote !== undefined) return describeWritten(wrote)
  const { activity, failed } = other
  if (failed && activity === 'idle') return failedText({ failed }, now)
  const unseen =
    other.waits === undefined ? 'has not seen the question yet' : notDelivered(other.waits)
  const seen = other.met === undefined ? unseen : 'has the question'
  if (side === 'idle') return 'finished its turn without answering'
  if (side === 'asking') return 'has a dialog open and waits for its user'
  return other.activity === 'unknown' ? seen : `${other.activity}, ${seen}`
}
