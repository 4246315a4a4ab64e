/** How far a message of the human's has come, in this order. */
export const STAGES = ['arrived', 'rung', 'presented', 'read'] as const
export type StageShown = (typeof STAGES)[number]

/** A message as the room shows it. `text` is safe to print, without `more` lines of the body. */
export type MessageEntry = {
  type: 'message'
  id: string
  /** ISO 8601. */
  at: string
  from: string
  to: string
  kind: string
  subject?: string
  text: string
  more: number
  /** How far it has come, of what the human sends. */
  stage?: StageShown
  /** Why it is held back, where it is. */
  held?: string | undefined
  /** A state of a task, and no message to read: see `foldRows()`. */
  progress?: true
  /** Whether the human has answered it. */
  answered?: true
  /** The number and the options of a decision that it asks for. */
  decision?: { number: number; options: string[] }
}

/** No message: something happened, a command printed or was typed, or something went wrong. */
export type NoticeEntry = {
  type: 'notice'
  at: string
  tone: 'event' | 'answer' | 'typed' | 'error'
  text: string
  /** The session that it is about. */
  about?: string
  /** More of it, for whoever opens it. */
  detail?: string
  /** So often it has happened in a row, where more than once. */
  count?: number
  /** A session came or went, as expected: see `folded()`. */
  passing?: 'came' | 'went'
  restarts?: number
}

export type Entry = MessageEntry | NoticeEntry

/**
 * A name in the head of the room, and its state: `since` as `12m`, nothing below a minute; what it
 * does now, as `edits: src/a.ts 2m`; its directory.
 */
export type Person = {
  name: string
  state: string
  since: string
  unread: number
  held: number
  doing: string
  cwd: string
}
