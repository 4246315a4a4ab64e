import { folded } from '../../chat/live/passing.ts'
import type { Need } from '../../feed/need.ts'
import type { Now, Room, Row } from '../wire.ts'

/** Something the human has answered: its card stays for a moment, so that nothing jumps. */
export type Answered = { key: string; said: string }

/** All that the page knows. `waiting`: new rows that have not been put into the list yet. */
export type State = {
  ready: boolean
  home: string
  now: Now
  rows: Row[]
  waiting: Row[]
  next: string | null
  answered: Answered[]
  /** Cards as they are shown: those that need the human, and those just answered. */
  cards: Need[]
  /** Why what is shown may be old, and what to do; empty for nothing. */
  trouble: string
  /** Why there is nothing to see, and what to do. */
  closed: { message: string; hint: string } | undefined
}

export const EMPTY: State = {
  ready: false,
  home: '',
  now: { needs: [], people: [], paused: false, unread: [], unseen: [], gone: null },
  rows: [],
  waiting: [],
  next: null,
  answered: [],
  cards: [],
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
  const { needs, people, paused, unread, unseen, gone } = now
  const kept = { needs, people, paused, unread, unseen, gone }
  return withCards({ ...state, now: kept, trouble: '' })
}

/** Notes an answer; without `said`, its card may go. */
export function answer(state: State, key: string, said?: string): State {
  const others = state.answered.filter((one) => one.key !== key)
  return withCards({ ...state, answered: said === undefined ? others : [...others, { key, said }] })
}

/** Cards keep their order: one that was answered stays where it was until it goes. */
function withCards(state: State): State {
  const { needs } = state.now
  const stays = (key: string) => state.answered.some((one) => one.key === key)
  const keys = new Set(needs.map(({ key }) => key))
  const cards = [...needs]
  state.cards.forEach((card, at) => {
    if (!keys.has(card.key) && stays(card.key)) cards.splice(Math.min(at, cards.length), 0, card)
  })
  return { ...state, cards }
}

/**
 * The rows as the feed shows them, newest first: those who come and go only where somebody wants to
 * see them, each session in a row as one.
 */
export function feedRows(rows: Row[], withPassing: boolean): Row[] {
  const all: Row[] = []
  for (const row of [...rows].reverse()) {
    const last = all.at(-1)
    if (!withPassing && isPassing(row)) continue
    const one = row.type === 'notice' && last?.type === 'notice' ? folded(last, row) : undefined
    if (one) all[all.length - 1] = one
    else all.push(row)
  }
  return all.reverse()
}

export function isPassing(row: Row): boolean {
  return row.type === 'notice' && row.passing !== undefined
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
