import type { Bus } from '../../bus/bus.ts'
import { findSession, readSessions } from '../../bus/names/registry.ts'
import { leave } from '../../session/leave.ts'
import { readWorkerState } from '../../session/workerState.ts'
import { type ProcessRef, sameProcess } from '../../system/processes.ts'
import { areGone, endProcesses, treeBelow } from '../../system/tree.ts'
import { endRemains } from '../remains.ts'
import { noteEnd, workerProcess } from './stateFile.ts'

/**
 * How a worker ended: it was not running `before`, or ended when `asked` to, or was `killed` with
 * all that it had started.
 */
export type Ended = { name: string; pid: number | null; ended: 'before' | 'asked' | 'killed' }

/**
 * What a worker gets: 10 s for its turn, then some for its client, which it ends harder and harder.
 */
const DRAIN_MS = 20_000
const NOW_MS = 5000
const KILL_MS = 500

/** Asks a worker to end, with `now` in the middle of its turn, and sees to it that it does. */
export async function endWorker(name: string, now: boolean, bus: Bus): Promise<Ended> {
  const ref = workerProcess(bus, name)
  const asked = ref && (await askToEnd(ref, now, bus))
  await killWorker(name, bus)
  if (readWorkerState(bus.home, name)?.activity !== 'stopped')
    noteEnd(bus, name, { activity: 'stopped' })
  if (ref === undefined) return { name, pid: null, ended: 'before' }
  await leaveIfGone(name, ref, bus)
  return { name, pid: ref.pid, ended: asked ? 'asked' : 'killed' }
}

/** Kills a worker, if it still runs, and all that it has left running. */
export async function killWorker(name: string, bus: Bus): Promise<void> {
  const { processes } = bus
  const ref = workerProcess(bus, name)
  // Its client's tools have sessions of their own: who they are can only be seen while it lives.
  if (ref) await endProcesses(processes, [ref, ...treeBelow(processes, ref.pid)], KILL_MS)
  await endRemains(bus, name, readWorkerState(bus.home, name))
}

function askToEnd(ref: ProcessRef, now: boolean, bus: Bus): Promise<boolean> {
  bus.processes.signal(ref, now ? 'SIGINT' : 'SIGTERM')
  return areGone(bus.processes, [ref], now ? NOW_MS : DRAIN_MS)
}

/** One that was killed did not leave by itself. */
async function leaveIfGone(name: string, ref: ProcessRef, bus: Bus): Promise<void> {
  const session = findSession(readSessions(bus.home), name)
  if (sameProcess(session?.agent, ref))
    await leave(name, { bus }, (now) => sameProcess(now.agent, ref))
}
