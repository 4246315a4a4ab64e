import type { Bus } from '../../bus/bus.ts'
import { readWorkerState } from '../../session/workerState.ts'
import { supervisorOf } from '../../session/workers.ts'
import { readWanted } from './wanted.ts'

/** A worker that should run and does not, and the directory that it was started in. */
export type RestWorker = { name: string; cwd: string }

/** The workers that are wanted and have nobody who would start them again. */
export function restWorkers(bus: Bus): RestWorker[] {
  if (supervisorOf(bus) !== undefined) return []
  return Object.entries(readWanted(bus.home)).flatMap(([name, { want, cwd }]) => {
    const state = readWorkerState(bus.home, name)
    const runs = state !== undefined && bus.processes.isAlive(state.process)
    return want === 'up' && !runs ? [{ name, cwd }] : []
  })
}
