import type { Bus } from '../../bus/bus.ts'
import type { Home } from '../../bus/home.ts'
import { isoTime } from '../../message/time.ts'
import type { WorkerState } from '../../session/workerState.ts'
import { readWorkerState } from '../../session/workerState.ts'
import { makeDirectory, replaceFileSoon } from '../../system/files.ts'
import { holderOf } from '../../system/pidlock.ts'
import type { ProcessRef } from '../../system/processes.ts'

type WorkerHome = Pick<Home, 'workers' | 'worker' | 'workerLock'>

export function writeWorker(home: WorkerHome, state: WorkerState): void {
  makeDirectory(home.workers)
  replaceFileSoon(home.worker(state.name), `${JSON.stringify(state)}\n`)
}

/**
 * Notes what became of a worker whose process is gone. Nothing where it never had a state. What it
 * worked on is kept: the next process goes on with that.
 */
export function noteEnd(
  { home, clock }: Pick<Bus, 'home' | 'clock'>,
  name: string,
  change: Pick<WorkerState, 'activity'> & Partial<WorkerState>,
): void {
  const state = readWorkerState(home, name)
  if (!state) return
  const { reason: _, ...kept } = state
  writeWorker(home, { ...kept, since: isoTime(clock.now()), ...change })
}

/** The process of a worker, where it runs: by its state, else by the lock that it holds. */
export function workerProcess(
  { home, processes }: Pick<Bus, 'home' | 'processes'>,
  name: string,
): ProcessRef | undefined {
  const known = [readWorkerState(home, name)?.process, holderOf(home.workerLock(name))]
  return known.find((ref) => ref !== undefined && processes.isAlive(ref))
}
