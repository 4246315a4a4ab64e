import { senderOfId } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import { priorityOf } from '../../message/priority.ts'
import { visibleLine } from '../../message/visible.ts'
import type { Form, Selection } from './budget.ts'
import { cutMessage, cutText, renderCut } from './cut.ts'
import { messageJson, renderInboxFoot, renderInboxHead, renderMessage } from './message.ts'
import { clipped, grouped } from './text.ts'

/** An inbox as it is printed. `held` has the reason for those that are held back, by id; `bad` the files that are no messages. */
export type InboxView = Selection & {
  name: string
  named: boolean
  unread: number
  held: Record<string, string>
  bad: readonly unknown[]
  peek: boolean
}

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
  const frames = heads.map((from) => bytesOf(renderInboxHead(from, name)) + bytesOf(renderInboxFoot(from, name)))
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

/** How many bytes an inbox takes as JSON. */
export function jsonForm(name: string, held: Record<string, string>): Form {
  const empty = {
    messages: [],
    rest: [],
    more: 10 ** 9,
    name,
    named: true,
    unread: 10 ** 9,
    held: {},
    bad: [],
    peek: false,
  }
  const json = (value: unknown) => bytesOf(JSON.stringify(value)) + 1
  return {
    frame: bytesOf(renderJson(empty, true)),
    whole: (message) => json({ ...messageJson(message), ...holdJson(message.id, held) }),
    cut: (message, room) => {
      const more = holdJson(message.id, held)
      const around = json({ ...messageJson({ ...message, body: '' }), cut: { lines: 10 ** 6, of: 10 ** 6 }, ...more })
      const cut = cutMessage(message, room - around, (text) => bytesOf(JSON.stringify(text)) - 2)
      const bytes = json({ ...messageJson(cut.message), cut: { lines: cut.lines, of: cut.of }, ...more })
      return { cut, bytes }
    },
    named: (message) => json(nameJson(message)),
    namedFrame: 0,
    nameBytes: 220,
  }
}

/** The messages that are not shown: how many, a line for each that was opened, and how to see them. */
export function renderRest(
  { rest, more, peek, name, named }: Pick<InboxView, 'rest' | 'more' | 'peek' | 'name' | 'named'>,
  count: number,
): string {
  if (count === 0) return ''
  const command = `agent-chat inbox${named ? ` ${name}` : ''}${peek ? ' --peek --full' : ''}`
  const full = peek ? '' : ' (all at once: --full)'
  const names = rest.map(renderName).join('')
  return `\n${grouped(count)} more unread: ${command}${full}\n${names}${rest.length > 0 && more > 0 ? andMore(more) : ''}`
}

/** An inbox as data. With a budget it says what it has left out. */
export function renderJson(view: InboxView, budgeted: boolean): string {
  const { name, unread, messages, cut, rest, more, bad, held } = view
  const whole = messages.map((message) => ({
    ...messageJson(cut?.message.id === message.id ? cut.message : message),
    ...(cut?.message.id === message.id ? { cut: { lines: cut.lines, of: cut.of } } : {}),
    ...holdJson(message.id, held),
  }))
  const left = budgeted ? { rest: rest.map(nameJson), more } : {}
  return `${JSON.stringify({ name, unread, messages: whole, bad, ...left })}\n`
}

function holdJson(id: string, held: Record<string, string>): { held?: string | undefined } {
  return Object.hasOwn(held, id) ? { held: held[id] } : {}
}

/** One message on one line. */
function renderName(message: Message): string {
  const { id, from, kind, subject, body } = message
  // The id of a message names its sender; that of one that was put there by hand may not.
  const sender = senderOfId(id) === from ? '' : ` @${from}`
  const priority = priorityOf(message)
  const about = subject === undefined ? '' : ` · "${clipped(visibleLine(subject), SUBJECT)}"`
  const bytes = grouped(Buffer.byteLength(body))
  return `  ${id}${sender} · ${priority === undefined ? '' : `${priority} `}${kind} · ${bytes} bytes${about}\n`
}

function nameJson(message: Message): Record<string, unknown> {
  const { id, from, kind, subject, body } = message
  const priority = priorityOf(message)
  return {
    id,
    from,
    kind,
    ...(priority === undefined ? {} : { priority }),
    ...(subject === undefined ? {} : { subject: clipped(subject, SUBJECT) }),
    bytes: Buffer.byteLength(body),
  }
}

function andMore(count: number): string {
  return `  … and ${grouped(count)} more\n`
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}
