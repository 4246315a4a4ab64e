import type { Activity } from '../session/state.ts'

/** What a watcher knows when it asks whether to type a ring. Times in milliseconds since 1970. */
export type RingQuestion = {
  /**
   * Unread messages that no doorbell has rung for, each with the time at which this watcher first
   * saw it.
   */
  unrung: { id: string; seen: number }[]
  now: number
  paused: boolean
  /** What the session is doing, `unknown` for an agent without hooks. */
  activity: Activity | 'unknown'
  /**
   * Since when the session is idle, as its hooks say; undefined where it is not, or nobody tells.
   */
  idleSince: number | undefined
  /** Whether the agent listens to its bell by itself, so that nothing need be typed. */
  native: boolean
  /**
   * Whether the agent has just been started, and its hooks have told nothing yet: what is typed now
   * they would take for the human's words.
   */
  starting: boolean
  /** Tries in a row that typed something but did not ring. */
  failedTries: number
}

export type RingDecision =
  /**
   * `unheard`: only where what is typed would be taken now, though it was not before; else that is
   * why it waits.
   */
  | { kind: 'ring'; unheard?: string }
  | { kind: 'rest' }
  /** Another doorbell has until `until`. */
  | { kind: 'leave'; until: number }
  | { kind: 'wait'; why: string }

/** After so many lines that an agent swallowed, typing more of them would only do harm. */
export const MAX_FAILED_TRIES = 3

/**
 * How long a native ring may take, from the message or from the end of the turn in which that came,
 * before the keyboard is tried.
 */
export const NATIVE_GRACE_MS = 5000

/**
 * One ring per batch, and none that the agent's own bell can bring. Rows in the order in which they
 * count.
 */
export function decideRing(question: RingQuestion): RingDecision {
  const { unrung, now, paused, activity, idleSince = 0, native, starting, failedTries } = question
  if (unrung.length === 0) return { kind: 'rest' }
  if (paused) return { kind: 'wait', why: 'all doorbells are paused' }
  const due = Math.max(idleSince, Math.min(...unrung.map(({ seen }) => seen))) + NATIVE_GRACE_MS
  if (native && now < due) return { kind: 'leave', until: due }
  if (starting) return { kind: 'wait', why: 'the agent is starting' }
  if (activity === 'asking') return { kind: 'wait', why: 'a dialog is open' }
  if (activity === 'busy') return { kind: 'wait', why: 'the agent is busy' }
  if (activity === 'gone') return { kind: 'wait', why: 'the agent has ended' }
  if (failedTries >= MAX_FAILED_TRIES)
    return { kind: 'ring', unheard: `typed ${failedTries} times without being heard` }
  return { kind: 'ring' }
}

/**
 * How long to wait before looking again at what could not be rung: soon at first, then every 2 s.
 * In milliseconds.
 */
export function retryDelay(waitedMs: number): number {
  return waitedMs < 60_000 ? 250 : 2000
}
