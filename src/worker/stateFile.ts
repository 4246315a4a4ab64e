import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { readJson } from '../system/json.ts'
import { isProcessRef } from '../system/processes.ts'
import type { WorkerState } from './state.ts'

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
