import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { readJson } from '../system/json.ts'
import { isProcessRef, type ProcessRef } from '../system/processes.ts'

/**
 * The life of a worker. `starting`: its client has not answered yet. `busy`: in a turn. `waiting`:
 * in a turn that waits for the human's decision. `stalled`: the client says nothing. `draining`: it
 * finishes its turn and ends. `crashed`: it is started again soon. `failed`: it is not started again
 * by itself. `stopped`: it has ended as it should, and a message starts it again where it may.
 */
export type WorkerActivity =
  | 'starting'
  | 'idle'
  | 'busy'
  | 'waiting'
  | 'stalled'
  | 'draining'
  | 'crashed'
  | 'failed'
  | 'stopped'

/**
 * What `workers/<name>.json` holds: the one truth about a worker after a crash. Written by the
 * process that `agent-chat work` is; by the supervisor where that process is gone.
 */
export type WorkerState = {
  name: string
  activity: WorkerActivity
  /** Since when it does that. ISO 8601, as all times here. */
  since: string
  /** Why, in one line: of `waiting`, `stalled`, `crashed` and `failed`. */
  reason?: string
  /** The process of `agent-chat work`. */
  process: ProcessRef
  /** The client that it drives, while there is one. */
  client?: ProcessRef
  /** When that process began, and its last sign of life: one every `BEAT_MS`. */
  started: string
  beat: string
  /** Since when the API says nothing, once that is `QUIET_MS` ago. ISO 8601. */
  quiet?: string
  /** Messages answered since then. */
  requests: number
  /** The message that it works on, and which try this is, from 1. */
  message?: string
  attempt?: number
  model?: string
  /** The definition that it runs by: its path, and a hash of its text. */
  definition: { path: string; hash: string }
  /** The conversation that an `ask` goes on with: the client's session id. */
  conversation?: string
  /** When the supervisor started it again, as far as that still counts. */
  restarts: string[]
}

/** How often a worker gives a sign of life, and after how long without one it is taken for hung. */
export const BEAT_MS = 30_000
export const STALE_MS = 90_000

/** After so long without a word from the API, that is told. In milliseconds. */
export const QUIET_MS = 90_000

/** What is told of a worker: why it is as it is, or that its API says nothing. */
export function reasonFor(
  { activity, reason, quiet }: Pick<WorkerState, 'activity' | 'reason' | 'quiet'>,
  now: number,
): string | null {
  if (activity !== 'busy' && activity !== 'draining') return reason ?? null
  const silentMs = quiet === undefined ? 0 : now - Date.parse(quiet)
  return silentMs >= QUIET_MS
    ? `no word from the API for ${Math.max(1, Math.round(silentMs / 60_000))} min`
    : (reason ?? null)
}

/** What `workers/<name>.json` says, or undefined where it says nothing. */
export function readWorkerState(home: Pick<Home, 'worker'>, name: string): WorkerState | undefined {
  const value = readJson(home.worker(name))
  return isWorkerState(value) ? value : undefined
}

/** As `readWorkerState`; a worker whose process is gone without a word has crashed. */
export function believedWorker({ home, processes }: Bus, name: string): WorkerState | undefined {
  const state = readWorkerState(home, name)
  if (!state || hasEnded(state) || processes.isAlive(state.process)) return state
  return { ...state, activity: 'crashed', reason: 'its process is gone' }
}

/** Whether a worker has no process, and is right not to have one. */
export function hasEnded({ activity }: WorkerState): boolean {
  return activity === 'stopped' || activity === 'failed' || activity === 'crashed'
}

function isWorkerState(value: unknown): value is WorkerState {
  if (typeof value !== 'object' || value === null) return false
  const { name, activity, started, process } = value as Partial<Record<keyof WorkerState, unknown>>
  return [name, activity, started].every((one) => typeof one === 'string') && isProcessRef(process)
}
