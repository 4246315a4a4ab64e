import { STALE_MS, type WorkerState } from '../../session/workerState.ts'
import type { Wish } from './wanted.ts'

/** How often a worker is started again, within which time, and after how long each time. */
const MOST_RESTARTS = 3
const RESTART_WINDOW_MS = 5 * 60_000
const DELAYS_MS = [0, 1000, 4000]

/** How long a worker that was launched may take until it has a state. In milliseconds. */
export const LAUNCH_MS = 30_000

/** All that is known of a worker when it is looked at. `launched`: when, in milliseconds. */
export type Seen = {
  state: WorkerState | undefined
  /** Whether a process of it runs, by its state or by its lock. */
  runs: boolean
  wish: Wish | undefined
  persistent: boolean
  unread: boolean
  /** Whether a session that is none of the worker's has its name: the messages are that one's. */
  taken: boolean
  launched: number | undefined
  /** How the last launch ended, once it has: an exit code. */
  ended: number | undefined
  restarts: string[]
}

/** What to do with a worker now; where it is to be looked at `again`, in milliseconds. */
export type Step =
  | { do: 'nothing'; again?: number }
  | { do: 'start'; again?: boolean }
  | { do: 'end'; reason: string }
  | { do: 'crashed'; reason: string }
  | { do: 'stopped' }
  | { do: 'give up'; reason: string }

/** Pure: the whole policy of starting, restarting and giving up. */
export function decide(seen: Seen, now: number): Step {
  const { state, runs, wish, launched, ended } = seen
  const isLaunching = launched !== undefined && ended === undefined
  const isOld = state === undefined || (launched !== undefined && Date.parse(state.beat) < launched)
  if (isLaunching && isOld) {
    const left = launched + LAUNCH_MS - now
    if (left > 0) return { do: 'nothing', again: left }
    return runs ? { do: 'end', reason: 'it gave no sign of life in 30 s' } : crash(ended)
  }
  if (runs) return state === undefined ? { do: 'nothing' } : watch(state, now)
  if (state === undefined || isOld) return launched === undefined ? rest(seen, now) : crash(ended)
  if (state.activity === 'stopped') return rest(seen, now)
  if (state.activity === 'failed') return isAsked(seen, now) ? { do: 'start' } : { do: 'nothing' }
  if (wish?.want === 'down') return { do: 'stopped' }
  return state.activity === 'crashed' ? again(seen, state, now) : crash(ended)
}

/** The restarts that still count. */
export function recentRestarts(restarts: string[], now: number): string[] {
  return restarts.filter((at) => now - Date.parse(at) < RESTART_WINDOW_MS)
}

function watch(state: WorkerState, now: number): Step {
  const left = Date.parse(state.beat) + STALE_MS - now
  return left > 0
    ? { do: 'nothing', again: left }
    : { do: 'end', reason: 'it gave no sign of life for 90 s' }
}

function crash(code: number | undefined): Step {
  return { do: 'crashed', reason: code === undefined ? 'its process is gone' : endText(code) }
}

function endText(code: number): string {
  return code > 128 ? `it was killed by signal ${code - 128}` : `it ended with exit code ${code}`
}

/** One that rests comes up when the human asks for it, or when a message waits for it. */
function rest(seen: Seen, now: number): Step {
  const { wish, persistent, unread, taken } = seen
  if (wish?.want === 'down') return { do: 'nothing' }
  const onDemand = unread && !taken && (wish?.want === 'up' || !persistent)
  return isAsked(seen, now) || onDemand ? { do: 'start' } : { do: 'nothing' }
}

/** What is noted for a time to come, a clock had noted that was wrong: every wish is newer. */
function isAsked({ state, wish }: Seen, now: number): boolean {
  if (wish?.want !== 'up') return false
  return state === undefined || wish.at >= state.since || Date.parse(state.since) > now
}

function again(seen: Seen, state: WorkerState, now: number): Step {
  if (isAsked(seen, now)) return { do: 'start' }
  if (!seen.persistent && !seen.unread) return { do: 'stopped' }
  const count = recentRestarts(seen.restarts, now).length
  if (count >= MOST_RESTARTS)
    return {
      do: 'give up',
      reason: `it crashed ${count + 1} times in 5 minutes; the last time: ${state.reason ?? 'unknown'}`,
    }
  const left = Date.parse(state.since) + (DELAYS_MS[count] ?? 0) - now
  return left > 0 ? { do: 'nothing', again: left } : { do: 'start', again: true }
}
