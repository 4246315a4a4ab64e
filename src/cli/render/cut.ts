import { type Cut, cutMessage } from '../../chat/inbox/budget.ts'
import { attachmentsOf } from '../../message/attachment.ts'
import type { Message } from '../../message/message.ts'
import { shortId } from '../../message/shortId.ts'
import { clipped, grouped, plural } from '../../message/text.ts'
import { visibleLine } from '../../message/visible.ts'
import { renderBody, renderMessage } from './message.ts'

/** How much of a subject is shown where room is short, in characters. */
const SUBJECT = 80

/**
 * The beginning of a message as it is printed, with the note that tells of the rest, in `room`
 * bytes. `held` is why it was held back.
 */
export function cutText(
  message: Message,
  room: number,
  nowMs: number,
  held: string | undefined,
): Cut {
  const short = shortened(message)
  const around = renderCut(
    { message: { ...short, body: '' }, lines: 0, of: message.body.length },
    nowMs,
    held,
  )
  return cutMessage(short, room - Buffer.byteLength(around), (line) =>
    Buffer.byteLength(line === '\n' ? line : renderBody(line)),
  )
}

/** A cut message between its two lines, and below them how to see the rest. */
export function renderCut(
  { message, lines, of }: Cut,
  nowMs: number,
  held: string | undefined,
): string {
  return `${renderMessage(message, nowMs, held)}${cutNote(message.id, lines, of)}\n`
}

/** How to see what was left out of a message. */
function cutNote(id: string, lines: number, of: number): string {
  const show = `agent-chat show ${shortId(id)}`
  if (lines === of) return `… in full: ${show}`
  if (lines > 0)
    return `… ${grouped(of - lines)} more line${of - lines === 1 ? '' : 's'}: ${show} --lines ${lines + 1}-`
  return `… the rest of a long line${of === 1 ? '' : ` and ${grouped(of - 1)} more`}: ${show} --lines 1-`
}

/**
 * A header can be as long as a body: where room is short, its subject is cut and its attachments
 * are only counted.
 */
function shortened(message: Message): Message {
  const attached = attachmentsOf(message).length
  const { attachments: _, ...extra } = message.extra
  const count = attached === 0 ? '' : `${plural(attached, 'attachment')}: agent-chat show`
  const subject =
    message.subject === undefined ? undefined : clipped(visibleLine(message.subject), SUBJECT)
  const told = [subject, count].filter((text) => text !== undefined && text !== '').join(' · ')
  return { ...message, extra, ...(told === '' ? {} : { subject: told }) }
}
