import { statSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { liveAsks } from '../bus/index/asks.ts'
import { HUMAN } from '../message/name.ts'
import { readWorkerState } from '../session/workerState.ts'
import { sessionsAndWorkers } from '../session/workers.ts'
import type { ProcessRef } from '../system/processes.ts'

/** All is looked at again after so many looks for a change: whether a pane is there, only tmux knows. */
const LOOKS = 12

/** Says whether anything may have changed since the last time that it said so. */
export function openChanges(bus: Bus): () => boolean {
  let before = ''
  let lasting = 0
  let known: ProcessRef[] = []
  const alive = () => known.filter((ref) => bus.processes.isAlive(ref)).length
  return () => {
    lasting += 1
    if (lasting < LOOKS && before === `${timesOf(bus)} ${alive()}`) return false
    lasting = 0
    known = processesOf(bus)
    before = `${timesOf(bus)} ${alive()}`
    return true
  }
}

/**
 * When the files that are shown, and no event tells of, were replaced: they come by rename, so their
 * directory changes. Those with events are here for where these cannot be had.
 */
function timesOf({ home }: Bus): string {
  return [home.sessions, home.workers, home.asks, home.states, home.inbox(HUMAN)]
    .map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    .join(' ')
}

/** Processes that may end without a word. */
function processesOf(bus: Bus): ProcessRef[] {
  const names = Object.values(sessionsAndWorkers(bus))
  return [
    ...names.flatMap(({ agent }) => agent ?? []),
    ...names.flatMap(({ name }) => readWorkerState(bus.home, name)?.process ?? []),
    ...liveAsks(bus).map(({ waiter }) => waiter),
  ].filter((ref) => bus.processes.isAlive(ref))
}
