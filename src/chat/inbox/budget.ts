import type { Message } from '../../message/message.ts'

/**
 * A message of which only the beginning is shown: `lines` whole lines of its `of` lines, or, where
 * the first line alone is too long, none and the beginning of that one.
 */
export type Cut = { message: Message; lines: number; of: number }

/** How many bytes things take as a surface gives them. */
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

/**
 * What is shown of an inbox: `messages` whole, but for a first one that was `cut`; the `rest` by
 * name; and `more` not at all.
 */
export type Selection = { messages: Message[]; cut?: Cut; rest: Message[]; more: number }

/** Opens the next message when it is asked for; `left` are not open yet. */
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
 * What of the first `limit` messages fits into `budget` bytes: as many as fit whole, then names.
 * One that does not fit although it is the first is cut. Opens one message more than it gives, at
 * the most.
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

  /**
   * What the messages behind the next one need: a word that they are there, and, where it is not
   * the first, names.
   */
  function reserve(names: boolean): number {
    const behind = source.left()
    if (behind === 0) return 0
    return (
      form.namedFrame +
      (names ? Math.min(behind * form.nameBytes, Math.floor(budget / NAMED_PART)) : 0)
    )
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

/** As many whole lines of a body as have room, or else the beginning of its first line. */
export function cutMessage(message: Message, room: number, bytesOf: (line: string) => number): Cut {
  const lines = message.body.split('\n')
  let left = room
  let taken = 0
  for (const line of lines) {
    left -= bytesOf(line) + bytesOf('\n')
    if (left < 0) break
    taken += 1
  }
  const body =
    taken === 0 ? beginningOf(lines[0] ?? '', room, bytesOf) : lines.slice(0, taken).join('\n')
  return { message: { ...message, body }, lines: taken, of: lines.length }
}

function beginningOf(line: string, room: number, bytesOf: (line: string) => number): string {
  let left = room - bytesOf('\n')
  let end = 0
  for (const char of line) {
    left -= bytesOf(char)
    if (left < 0) break
    end += char.length
  }
  return line.slice(0, end)
}
