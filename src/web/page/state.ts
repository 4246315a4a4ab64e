import { type Crowd, foldRows } from '../../feed/fold.ts'
import type { Need } from '../../feed/need.ts'
import type { Now, Room, Row, ThreadRow } from '../wire.ts'

/** A row of the inbox: what needs the human, or a thread with unread messages. */
export type InboxRow = { key: string } & (
  | { need: Need; thread?: never }
  | { thread: ThreadRow; need?: never }
)

/**
 * A row that stays where it is while it is open, and after its answer: nothing jumps. `said`: what
 * came of it; `fresh`: so that it stays whatever is done.
 */
export type Stays = { key: string; said: string; fresh?: boolean }

/** All that the page knows. `waiting`: new rows that have not been put into the list yet. */
export type State = {
  ready: boolean
  home: string
  now: Now
  rows: Row[]
  waiting: Row[]
  next: string | null
  stays: Stays[]
  /** What needs the human, then unread threads, and those of either that stay. */
  inbox: InboxRow[]
  /** Why what is shown may be old, and what to do; empty for nothing. */
  trouble: string
  /** Why there is nothing to see, and what to do. */
  closed: { message: string; hint: string } | undefined
}

export const EMPTY: State = {
  ready: false,
  home: '',
  now: {
    needs: [],
    threads: [],
    away: null,
    people: [],
    paused: false,
    unread: [],
    unseen: [],
    gone: null,
  },
  rows: [],
  waiting: [],
  next: null,
  stays: [],
  inbox: [],
  trouble: '',
  closed: undefined,
}

/**
 * The whole room, at the first look or after a gap. Where the new rows meet the known ones, those
 * stay as they are; else the list begins again.
 */
export function withRoom(state: State, room: Room): State {
  const known = new Set([...state.rows, ...state.waiting].map(({ id }) => id))
  const meets = room.rows.some(({ id }) => known.has(id))
  const fresh = room.rows.filter(({ id }) => !known.has(id))
  const lists =
    state.ready && meets
      ? { waiting: [...fresh, ...state.waiting] }
      : { rows: room.rows, waiting: [], next: room.next }
  const next = { ...state, ...lists, ready: true, home: room.home, closed: undefined }
  return withNow(next, room)
}

/** New rows, oldest first, each once; they wait until `shown()`. */
export function withRows(state: State, rows: Row[]): State {
  const known = new Set([...state.rows, ...state.waiting].map(({ id }) => id))
  const fresh = rows.filter(({ id }) => !known.has(id) && known.add(id))
  if (fresh.length === 0) return state
  return { ...state, waiting: [...fresh.reverse(), ...state.waiting] }
}

/** What waits is put on top. */
export function shown(state: State): State {
  if (state.waiting.length === 0) return state
  return { ...state, rows: [...state.waiting, ...state.rows], waiting: [] }
}

export function withOlder(state: State, rows: Row[], next: string | null): State {
  const known = new Set([...state.rows, ...state.waiting].map(({ id }) => id))
  return { ...state, rows: [...state.rows, ...rows.filter(({ id }) => !known.has(id))], next }
}

export function withNow(state: State, now: Now): State {
  const { needs, threads, away, people, paused, unread, unseen, gone } = now
  const kept = { needs, threads, away, people, paused, unread, unseen, gone }
  return withInbox({ ...state, now: kept, trouble: '' })
}

/** Has a row stay where it is. */
export function stay(state: State, row: Stays): State {
  const others = state.stays.filter(({ key }) => key !== row.key)
  return withInbox({ ...state, stays: [...others, row] })
}

/** Lets rows go that stay, but for those that are just answered. `isHere`: open or selected. */
export function tidy(state: State, isHere: (key: string) => boolean): State {
  const stays = state.stays.filter(({ key, fresh }) => fresh || isHere(key))
  return stays.length === state.stays.length ? state : withInbox({ ...state, stays })
}

/** The inbox in the order of its sources; what stays, stays in its place. */
function withInbox(state: State): State {
  const { needs, threads } = state.now
  const inbox: InboxRow[] = [
    ...needs.map((need) => ({ key: need.key, need })),
    ...threads.map((thread) => ({ key: `thread ${thread.root}`, thread })),
  ]
  const keys = new Set(inbox.map(({ key }) => key))
  const stays = new Set(state.stays.map(({ key }) => key))
  state.inbox.forEach((row, at) => {
    if (!keys.has(row.key) && stays.has(row.key)) inbox.splice(at, 0, row)
  })
  return { ...state, inbox }
}

/** Whether somebody has to do something about a row, or can read it. */
export function isOpen({ now }: State, { key, thread }: InboxRow): boolean {
  if (thread) return now.threads.some(({ root }) => root === thread.root)
  return now.needs.some((need) => need.key === key)
}

const KINDS: Record<Need['type'], string> = {
  decision: 'Decision',
  approval: 'Approval',
  question: 'Question',
  permission: 'Asks permission',
  trust: 'Asks at its start',
  asks: 'Question',
  failed: 'Failed',
  limited: 'Usage limit',
  held: 'Held messages',
}

/** What a row says: why it is there, whom it is about, what it says, and what may be answered. */
export function partsOf({ need, thread }: InboxRow) {
  if (thread) {
    const { kind, from, title, ids } = thread
    return { why: kind, who: from, title, more: ids.length > 1 ? `${ids.length} messages` : '' }
  }
  const why = KINDS[need.type]
  if ('name' in need) return { why, who: [need.name], title: need.why, more: '' }
  if (need.type === 'held')
    return { why, who: need.to, title: `${need.count}: ${need.why}`, more: '' }
  const { from, number, title, options } = need
  const more = options.map((option, at) => `${at + 1} ${option}`).join(' · ')
  return { why: number === undefined ? why : `${why} ${number}`, who: [from], title, more }
}

/** Those that a filter finds, then what needs the human all the same: no filter hides it. */
export function filtered(rows: InboxRow[], word: string): (InboxRow & { faint?: boolean })[] {
  const isFound = (row: InboxRow) =>
    Object.values(partsOf(row)).flat().join(' ').toLowerCase().includes(word.toLowerCase())
  const others = rows.filter((row) => row.need && !isFound(row))
  return [...rows.filter(isFound), ...others.map((row) => ({ ...row, faint: true }))]
}

/** The rows as the feed shows them, newest first; `opened`: the crowds whose messages are shown. */
export function feedRows(rows: Row[], all: boolean, opened: string[] = []): (Row | Crowd<Row>)[] {
  return foldRows([...rows].reverse(), all)
    .flatMap((row) => (row.type === 'crowd' && opened.includes(row.id) ? [...row.rows, row] : row))
    .reverse()
}

/** Whether a button starts it again: a worker. What a session needs is done in its own place. */
export function restarts(need: Need): boolean {
  return need.type === 'failed' && need.answer.startsWith('agent-chat restart ')
}

/** Where a need of a session is answered: words, and the command behind them where there is one. */
export function placeOf(answer: string): { words: string; command?: string } {
  if (!answer.startsWith('agent-chat ')) return { words: `Answer ${answer}` }
  const attaches = answer.startsWith('agent-chat attach ')
  return { words: attaches ? 'Answer at its terminal: ' : 'Run: ', command: answer }
}
