/** What the server tells the page: types only, which both sides share. Times are ISO 8601. */
import type { Away } from '../feed/awayText.ts'
import type { Need } from '../feed/need.ts'

/** A message as one row of the feed, by what the history has of it; its id is its key. */
export type MessageRow = {
  type: 'message'
  id: string
  at: string
  from: string
  to: string
  kind: string
  subject?: string
  text: string
  thread: string
  chain: string
  held?: string
  /** A state of a task, and no message to read. */
  progress?: true
}

/** Something else that happened and is worth a row. */
export type NoticeRow = {
  type: 'notice'
  id: string
  at: string
  text: string
  detail?: string
  about?: string
  /** A session came or went, as expected. */
  passing?: 'came' | 'went'
  restarts?: number
}

export type Row = MessageRow | NoticeRow

/**
 * A session or worker. `doing`: the tool and file that it works on; `cost`: of today, without `usd`
 * where nobody tells it; `message`: what a worker works on now.
 */
export type Person = {
  name: string
  worker: boolean
  state: string
  since: string | null
  unread: number
  held: number
  waits: string | null
  doing: { text: string; since: string } | null
  cost: { tokens: number; usd: number | null } | null
  message: string | null
  cwd: string
}

/**
 * What the human has not read of a thread: as `unreadThreads()` gives it. `ids`: oldest first; `from`:
 * who wrote them, the last first.
 */
export type ThreadRow = {
  root: string
  at: string
  kind: string
  title: string
  from: string[]
  ids: string[]
}

/**
 * What there is to see beside the feed. `threads`: the human's unread messages, the newest thread
 * first; `unread`: their ids, and those of what needs them; `unseen`: those that others have not
 * read; `gone`: why nothing can be shown now.
 */
export type Now = {
  needs: Need[]
  threads: ThreadRow[]
  away: Away | null
  people: Person[]
  paused: boolean
  unread: string[]
  unseen: string[]
  gone: string | null
}

/** A part of the feed, newest first; `next`: where the older ones begin. */
export type Page = { rows: Row[]; next: string | null }

/** All of the first look. `place`: where the events after it begin. */
export type Room = Now & Page & { home: string; version: string; place: string; beat: number }

export type TaskCard = {
  id: string
  at: string
  since: string
  from: string
  to: string
  title: string
  state: string
  /** Of one that has ended: its summary, the files that a worker wrote, and what it cost. */
  came: string[]
}

/** A message in whole, as a conversation shows it. */
export type Shown = {
  id: string
  at: string
  from: string
  to: string
  kind: string
  subject?: string
  text: string
  files: { path: string; bytes: number; state: string }[]
  /** Of a worker's answer: the files that it wrote, and what it cost. */
  work: string[]
  options: string[]
}

export type Conversation = { root: string; messages: Shown[]; missing: number }

export type Found = { rows: (MessageRow & { line: string })[]; more: boolean }

export type Failure = { code: string; message: string; hint: string }

/** What came of something the human did. */
export type Done = { said: string[]; id?: string }
