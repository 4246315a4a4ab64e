import type { Message } from '../../message/message.ts'
import type { Cut } from './cut.ts'

/** How many bytes things take where they are printed. */
export type Form = {
  /** What stands around the messages. */
  frame: number
  whole: (message: Message) => number
  /** The beginning of a message, in at most `room` bytes. */
  cut: (message: Message, room: number) => { cut: Cut; bytes: number }
  /** A message that is only named. */
  named: (message: Message) => number
  /** About how many bytes that is. */
  nameBytes: number
  /** What stands around those that are only named, and tells of those that are not. */
  namedFrame: number
}

/** What is printed of an inbox: `messages` whole, but for a first one that was `cut`; the `rest` by name; and `more` not at all. */
export type Selection = { messages: Message[]; cut?: Cut; rest: Message[]; more: number }

/** Where messages come from: the next one is opened when it is asked for, and `left` are not open yet. */
export type Source = { next: () => Message | undefined; left: () => number }

/** Names take up to this part of the budget, where there are more messages than room. */
const NAMED_PART = 4

/** Every message up to `limit`. */
export function selectAll(source: Source, limit: number): Selection {
  const messages: Message[] = []
  while (messages.length < limit) {
    const message = source.next()
    if (message === undefined) break
    messages.push(message)
  }
  return { messages, rest: [], more: source.left() }
}

/**
 * What of the first `limit` messages fits into `budget` bytes: as many as fit whole, then names. One that does not fit although it is the first is cut. Opens one
 * message more than it gives, at the most.
 */
export function selectWithin(source: Source, limit: number, budget: number, form: Form): Selection {
  const messages: Message[] = []
  let room = budget - form.frame
  const open = (shown: number) => (shown < limit ? source.next() : undefined)
  let next = open(0)
  while (next !== undefined) {
    const bytes = form.whole(next)
    if (bytes + reserve(messages.length > 0) > room) break
    messages.push(next)
    room -= bytes
    next = open(messages.length)
  }
  if (messages.length > 0 || next === undefined) return { messages, ...nameRest(next, room) }
  const { cut, bytes } = form.cut(next, room - reserve(true))
  return { messages: [next], cut, ...nameRest(open(1), room - bytes) }

  /** What the messages behind the next one need: a word that they are there, and, where it is not the first, names. */
  function reserve(names: boolean): number {
    const behind = source.left()
    if (behind === 0) return 0
    return form.namedFrame + (names ? Math.min(behind * form.nameBytes, Math.floor(budget / NAMED_PART)) : 0)
  }

  function nameRest(first: Message | undefined, space: number): Pick<Selection, 'rest' | 'more'> {
    const rest: Message[] = []
    let left = space - form.namedFrame
    let message = first
    for (; message !== undefined; message = open(Math.max(1, messages.length) + rest.length)) {
      left -= form.named(message)
      if (left < 0) break
      rest.push(message)
    }
    return { rest, more: source.left() + (message === undefined ? 0 : 1) }
  }
}
