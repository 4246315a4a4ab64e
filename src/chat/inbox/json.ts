import { messageJson } from '../../message/json.ts'
import type { Message } from '../../message/message.ts'
import { priorityOf } from '../../message/priority.ts'
import { clipped } from '../../message/text.ts'
import type { Inbox } from '../inbox.ts'
import { cutMessage, type Form } from './budget.ts'

/** The most of a subject that a line has room for, in characters. */
const SUBJECT = 80

/** An inbox as data. With a budget it says what it has left out. */
export function inboxJson(inbox: Inbox, budgeted: boolean): Record<string, unknown> {
  const { name, unread, messages, cut, rest, more, bad, held, withheld } = inbox
  const whole = messages.map((message) => ({
    ...messageJson(cut?.message.id === message.id ? cut.message : message),
    ...(cut?.message.id === message.id ? { cut: { lines: cut.lines, of: cut.of } } : {}),
    ...holdJson(message.id, held),
  }))
  const left = budgeted ? { rest: rest.map(nameJson), more } : {}
  return {
    name,
    unread,
    ...(withheld === undefined ? {} : { withheld }),
    messages: whole,
    bad,
    ...left,
  }
}

/** How many bytes an inbox takes as JSON. */
export function jsonForm(name: string, held: Record<string, string>): Form {
  const empty: Inbox = {
    messages: [],
    rest: [],
    more: 10 ** 9,
    name,
    named: true,
    unread: 10 ** 9,
    now: 0,
    held: {},
    bad: [],
    peek: false,
  }
  const json = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) + 1
  return {
    frame: json(inboxJson(empty, true)),
    whole: (message) => json({ ...messageJson(message), ...holdJson(message.id, held) }),
    cut: (message, room) => {
      const more = holdJson(message.id, held)
      const around = json({
        ...messageJson({ ...message, body: '' }),
        cut: { lines: 10 ** 6, of: 10 ** 6 },
        ...more,
      })
      const cut = cutMessage(
        message,
        room - around,
        (text) => Buffer.byteLength(JSON.stringify(text)) - 2,
      )
      const bytes = json({
        ...messageJson(cut.message),
        cut: { lines: cut.lines, of: cut.of },
        ...more,
      })
      return { cut, bytes }
    },
    named: (message) => json(nameJson(message)),
    namedFrame: 0,
    nameBytes: 220,
  }
}

function holdJson(id: string, held: Record<string, string>): { held?: string | undefined } {
  return Object.hasOwn(held, id) ? { held: held[id] } : {}
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
