import { folded, type Passing } from '../chat/live/passing.ts'
import { HUMAN } from '../message/name.ts'
import { MAX_RECENT, RECENT_MS } from '../trust/sendGate/limits.ts'

/** What is known of a row, as far as folding goes: an entry of the console, a row of the page. */
export type Foldable = Message | ({ type: 'notice' } & Passing)

/** `at` is ISO 8601. */
type Message = {
  type: 'message'
  id: string
  at: string
  from: string
  to: string
  kind: string
  progress?: true
}

/** Messages of one session to you, beyond 20 in 10 minutes, as one row, which opens them. */
export type Crowd<T> = {
  type: 'crowd'
  /** The id of the first of them. */
  id: string
  at: string
  from: string
  text: string
  rows: T[]
}

/**
 * Rows as a first screen shows them, from the oldest to the newest. Left out are sessions that came
 * or went as expected, and states of tasks, unless `all`. What happened to one session in a row is
 * one row, `@backend restarted ×3`, and so is what one session sent to you beyond 20 in 10 minutes,
 * but for what needs your answer. Nothing is lost: `history` and `--json` have it all.
 */
export function foldRows<T extends Foldable>(rows: readonly T[], all = false): (T | Crowd<T>)[] {
  const out: (T | Crowd<T>)[] = []
  const crowds = crowdsIn(rows)
  for (const row of rows) {
    if (!all && isHidden(row)) continue
    const crowd = crowds.get(row)
    const one = oneOf(out.at(-1), row)
    if (one) out[out.length - 1] = one
    else if (crowd === undefined) out.push(row)
    else if (crowd.rows[0] === row) out.push(crowd)
  }
  return out
}

function oneOf<T extends Foldable>(before: T | Crowd<T> | undefined, next: T): T | undefined {
  if (before?.type !== 'notice' || next.type !== 'notice') return undefined
  return folded(before as T & Passing, next as T & Passing)
}

/** Whether a row says nothing that a first screen needs. */
export function isHidden(row: Foldable): boolean {
  return row.type === 'notice' ? row.passing !== undefined : row.progress === true
}

/** The crowd that a message is in, for those that are in one. */
function crowdsIn<T extends Foldable>(rows: readonly T[]): Map<T, Crowd<T>> {
  const crowds = new Map<T, Crowd<T>>()
  const times = new Map<string, number[]>()
  const open = new Map<string, Crowd<T>>()
  for (const row of rows) {
    if (row.type !== 'message' || row.to !== HUMAN || row.progress) continue
    const { id, at, from, kind }: Message = row
    const now = Date.parse(at)
    const last = times.get(from) ?? []
    times.set(from, [...last.slice(1 - MAX_RECENT), now])
    const isBeyond = last.length === MAX_RECENT && (last[0] ?? 0) > now - RECENT_MS
    if (!isBeyond) open.delete(from)
    else if (!needsAnswer(kind)) {
      const crowd: Crowd<T> = open.get(from) ?? { type: 'crowd', id, at, from, text: '', rows: [] }
      crowd.rows.push(row)
      crowd.text = `${crowd.rows.length} more from @${from}`
      open.set(from, crowd)
      crowds.set(row, crowd)
    }
  }
  return crowds
}

/** A decision is a question, too. */
function needsAnswer(kind: string): boolean {
  return kind === 'question' || kind.endsWith(' question')
}
