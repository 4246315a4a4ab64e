import { type Cut, cutMessage, type Form } from '../../chat/inbox/budget.ts'
import type { Inbox } from '../../chat/inbox.ts'
import { attachmentsOf } from '../../message/attachment.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import { fullKindOf } from '../../message/priority.ts'
import { shortId } from '../../message/shortId.ts'
import { clipped, grouped, plural } from '../../message/text.ts'
import { visibleLine } from '../../message/visible.ts'
import { renderBody, renderInboxFoot, renderInboxHead, renderMessage } from './message.ts'

/** The most of a subject that a line has room for, in characters. */
const SUBJECT = 80

/** How many bytes an inbox takes as text. */
export function textForm(name: string, held: Record<string, string>, nowMs: number): Form {
  // The longest foot is that of a decision, with its number in it.
  const decision = { escalation: '999999', options: ['1'] }
  const heads = [
    [{ from: HUMAN, extra: {} }],
    [{ from: name, extra: decision }],
    [
      { from: HUMAN, extra: {} },
      { from: name, extra: decision },
    ],
  ]
  const frames = heads.map(
    (from) => bytesOf(renderInboxHead(from, name)) + bytesOf(renderInboxFoot(from, name)),
  )
  return {
    // The number of messages is written into a head in which one stood.
    frame: Math.max(...frames) + 6,
    whole: (message) => bytesOf(renderMessage(message, nowMs, held[message.id])),
    cut: (message, room) => {
      const cut = cutText(message, room, nowMs, held[message.id])
      return { cut, bytes: bytesOf(renderCut(cut, nowMs, held[message.id])) }
    },
    named: (message) => bytesOf(renderName(message)),
    nameBytes: 120,
    namedFrame:
      bytesOf(renderRest({ rest: [], more: 10 ** 9, peek: true, name, named: true }, 10 ** 9)) +
      bytesOf(andMore(10 ** 9)),
  }
}

/** How many messages are not shown, a line for each that was opened, and how to see them. */
export function renderRest(
  { rest, more, peek, name, named }: Pick<Inbox, 'rest' | 'more' | 'peek' | 'name' | 'named'>,
  count: number,
): string {
  if (count === 0) return ''
  const command = `agent-chat inbox${named ? ` ${name}` : ''}${peek ? ' --peek --full' : ''}`
  const full = peek ? '' : ' (all at once: --full)'
  const names = rest.map(renderName).join('')
  return `\n${grouped(count)} more unread: ${command}${full}\n${names}${rest.length > 0 && more > 0 ? andMore(more) : ''}`
}

/** One message on one line. */
function renderName(message: Message): string {
  const { id, from, subject, body } = message
  const about = subject === undefined ? '' : ` · "${clipped(visibleLine(subject), SUBJECT)}"`
  const bytes = grouped(Buffer.byteLength(body))
  return `  ${shortId(id)} @${from} · ${fullKindOf(message)} · ${bytes} bytes${about}\n`
}

function andMore(count: number): string {
  return `  … and ${grouped(count)} more\n`
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}

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
