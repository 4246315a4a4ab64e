import { statSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { liveAsks } from '../bus/index/asks.ts'
import type { Session } from '../bus/names/registry.ts'
import { HUMAN } from '../message/name.ts'
import { midnight } from '../message/time.ts'
import { mayStandAtDialog } from '../session/startScreen.ts'
import { believedState } from '../session/stateFile.ts'
import { readWorkerState } from '../session/workerState.ts'
import { sessionsAndWorkers, workerNames } from '../session/workers.ts'
import { namesIn } from '../system/files.ts'
import type { ProcessRef } from '../system/processes.ts'

/** Says whether anything may have changed since the last time that it said so. */
export function openChanges(bus: Bus): () => boolean {
  let before = ''
  let known: ProcessRef[] = []
  let unsure = true
  const now = () =>
    JSON.stringify([
      ...[marksOf(bus), workersOf(bus), midnight(bus.clock.now())],
      known.map((ref) => bus.processes.isAlive(ref)),
    ])
  return () => {
    if (!unsure && before === now()) return false
    const sessions = Object.values(sessionsAndWorkers(bus))
    unsure = sessions.some((session) => onlyTmuxKnows(session, bus))
    known = processesOf(bus, sessions)
    before = now()
    return true
  }
}

/** Whether a pane is there, and what an agent asks before its first prompt, no file tells. */
function onlyTmuxKnows(session: Session, { home, processes }: Bus): boolean {
  if (session.agent === null) return session.pane !== null
  return mayStandAtDialog(session, undefined) && !believedState(home, session.name, processes)
}

/**
 * The files that are shown: they come by rename, so each is another one, or its directory changes.
 * Two changes may have the same time. Those with events are here for where these cannot be had.
 */
function marksOf({ home }: Bus): unknown[] {
  const paths = [home.sessions, home.paused, home.states, home.inbox(HUMAN)]
  const marks = paths.map((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found && [found.ino, found.mtimeMs]
  })
  return [marks, namesIn(home.asks)]
}

/** What workers do and have cost, without the sign of life that each gives twice a minute. */
function workersOf({ home }: Bus): unknown[] {
  return workerNames(home).map((name) => [
    { ...readWorkerState(home, name), beat: '' },
    statSync(home.workerCosts(name), { throwIfNoEntry: false })?.size,
  ])
}

/** Processes that may end without a word. */
function processesOf(bus: Bus, sessions: Session[]): ProcessRef[] {
  return [
    ...sessions.flatMap(({ agent }) => agent ?? []),
    ...sessions.flatMap(({ name }) => readWorkerState(bus.home, name)?.process ?? []),
    ...liveAsks(bus).map(({ waiter }) => waiter),
  ].filter((ref) => bus.processes.isAlive(ref))
}
