import type { Bus } from '../../bus/bus.ts'
import type { Home } from '../../bus/home.ts'
import { NAME_PATTERN } from '../../message/name.ts'
import { isoTime } from '../../message/time.ts'
import { makeDirectory, namesIn, replaceFileSoon } from '../../system/files.ts'
import { readJson } from '../../system/json.ts'
import { holderOf } from '../../system/pidlock.ts'
import { isProcessRef, type ProcessRef } from '../../system/processes.ts'
import type { WorkerState } from '../state.ts'

type WorkerHome = Pick<Home, 'workers' | 'worker' | 'workerLock'>

/** What `workers/<name>.json` holds; undefined without one, or where it is no state. */
export function readWorker(home: WorkerHome, name: string): WorkerState | undefined {
  const value = readJson(home.worker(name))
  return isWorkerState(value) ? value : undefined
}

export function writeWorker(home: WorkerHome, state: WorkerState): void {
  makeDirectory(home.workers)
  replaceFileSoon(home.worker(state.name), `${JSON.stringify(state)}\n`)
}

/** Notes what became of a worker whose process is gone. Nothing where it never had a state. */
export function noteEnd(
  { home, clock }: Pick<Bus, 'home' | 'clock'>,
  name: string,
  change: Pick<WorkerState, 'activity'> & Partial<WorkerState>,
): void {
  const state = readWorker(home, name)
  if (!state) return
  const { client: _, reason: __, message: ___, attempt: ____, ...kept } = state
  writeWorker(home, { ...kept, since: isoTime(clock.now()), ...change })
}

/** The names of all workers that have ever run in this home. */
export function workerNames(home: WorkerHome): string[] {
  return namesIn(home.workers)
    .flatMap((file) => (file.endsWith('.json') ? file.slice(0, -'.json'.length) : []))
    .filter((name) => NAME_PATTERN.test(name))
    .sort()
}

/** The process of a worker, where it runs: by its state, else by the lock that it holds. */
export function workerProcess(
  { home, processes }: Pick<Bus, 'home' | 'processes'>,
  name: string,
): ProcessRef | undefined {
  const known = [readWorker(home, name)?.process, holderOf(home.workerLock(name))]
  return known.find((ref) => ref !== undefined && processes.isAlive(ref))
}

function isWorkerState(value: unknown): value is WorkerState {
  if (typeof value !== 'object' || value === null) return false
  const state: Record<string, unknown> = { ...value }
  const texts = [state.name, state.activity, state.since, state.started, state.beat]
  return (
    texts.every((text) => typeof text === 'string') &&
    isProcessRef(state.process) &&
    Array.isArray(state.restarts)
  )
}
