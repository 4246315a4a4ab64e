import type { Bus } from '../../bus/bus.ts'
import { findSession, readSessions } from '../../bus/names/registry.ts'
import { leave } from '../../session/join.ts'
import { type ProcessRef, sameProcess } from '../../system/processes.ts'
import { timeLeft } from '../../system/timeLeft.ts'
import { killTree } from '../tree.ts'
import { noteEnd, readWorker, workerProcess } from './stateFile.ts'

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

/** Asks a worker to end, with `now` in the middle of its turn, and sees to it that it does. */
export async function endWorker(name: string, now: boolean, bus: Bus): Promise<Ended> {
  const ref = workerProcess(bus, name)
  if (ref === undefined) {
    await endClient(name, bus)
    noteStopped(name, bus)
    return { name, pid: null, ended: 'before' }
  }
  bus.processes.signal(ref, now ? 'SIGINT' : 'SIGTERM')
  const asked = await isGone(ref, now ? NOW_MS : DRAIN_MS, bus)
  if (!asked) await killTree(bus.processes, ref)
  await endClient(name, bus)
  noteStopped(name, bus)
  await leaveIfGone(name, ref, bus)
  return { name, pid: ref.pid, ended: asked ? 'asked' : 'killed' }
}

/** Kills what a worker that is gone has left running: two must never go on with one conversation. */
export async function endClient(name: string, { home, processes }: Bus): Promise<void> {
  const client = readWorker(home, name)?.client
  if (client) await killTree(processes, client)
}

async function isGone(ref: ProcessRef, ms: number, { processes }: Bus): Promise<boolean> {
  for (const left = timeLeft(ms); left() > 0; ) {
    if (!processes.isAlive(ref)) return true
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return !processes.isAlive(ref)
}

const LOOK_MS = 20

function noteStopped(name: string, bus: Bus): void {
  const state = readWorker(bus.home, name)
  if (state && state.activity !== 'stopped') noteEnd(bus, name, { activity: 'stopped' })
}

/** One that was killed did not leave by itself. */
async function leaveIfGone(name: string, ref: ProcessRef, bus: Bus): Promise<void> {
  const session = findSession(readSessions(bus.home), name)
  if (sameProcess(session?.agent, ref))
    await leave(name, { bus }, (now) => sameProcess(now.agent, ref))
}
