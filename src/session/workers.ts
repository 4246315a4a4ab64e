import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { findSession, readSessions, type Sessions } from '../bus/names/registry.ts'
import { CodedError } from '../errors.ts'
import { NAME_PATTERN } from '../message/name.ts'
import { namesIn } from '../system/files.ts'
import { readJson } from '../system/json.ts'
import { liveHolder } from '../system/pidlock.ts'
import { type ProcessRef, sameProcess } from '../system/processes.ts'
import { isBelow } from './agent.ts'
import { hasEnded, readWorkerState } from './workerState.ts'

/**
 * What is shown of a worker: what it does, since when (ISO 8601), why, and whether its process
 * runs. The whole is the worker's own.
 */
export type WorkerShown = {
  activity: string
  since: string
  started: string
  reason: string | null
  runs: boolean
}

/** What a worker does now; undefined where none of this name has ever run. */
export function shownWorker(
  { home, processes }: Pick<Bus, 'home' | 'processes'>,
  name: string,
): WorkerShown | undefined {
  const state = readWorkerState(home, name)
  if (state === undefined) return undefined
  const runs = processes.isAlive(state.process)
  return {
    activity: runs || hasEnded(state) ? state.activity : 'crashed',
    ...{ since: state.since, started: state.started, runs },
    reason: state.reason ?? null,
  }
}

/** The names of all workers that have ever run in this home. */
export function workerNames(home: Pick<Home, 'workers'>): string[] {
  return namesIn(home.workers)
    .flatMap((file) => (file.endsWith('.json') ? file.slice(0, -'.json'.length) : []))
    .filter((name) => NAME_PATTERN.test(name))
    .sort()
}

/** Every session, and a worker that is not registered now as one whose agent has ended. */
export function sessionsAndWorkers(bus: Pick<Bus, 'home' | 'processes'>): Sessions {
  const workers = workerNames(bus.home).flatMap((name) => {
    const joined_at = shownWorker(bus, name)?.started
    return joined_at === undefined ? [] : [[name, { ...ENDED_SESSION, name, joined_at }]]
  })
  return { ...Object.fromEntries(workers), ...readSessions(bus.home) }
}

const ENDED_SESSION = {
  ...{ pane: null, tmux_socket: null, native: false, doorbell: 'stdout', cwd: '' },
  agent: { pid: 0, started: '' },
}

/** Whether a name is a worker's: one that has run here, or that the home defines. */
export function isWorker(home: Pick<Home, 'worker' | 'agentFile'>, name: string): boolean {
  return existsSync(home.worker(name)) || existsSync(home.agentFile(name))
}

/**
 * Whether a message to this name reaches a worker: one had the name last, or no session ever had it.
 * A session of the user's keeps its messages, also after its agent has ended.
 */
export function answersAsWorker(bus: Pick<Bus, 'home' | 'processes'>, name: string): boolean {
  return isWorker(bus.home, name) && !isOfSession(bus, name)
}

/** Whether a session that is no worker has this name: until it leaves, its messages are its own. */
export function isOfSession(bus: Pick<Bus, 'home' | 'processes'>, name: string): boolean {
  const session = findSession(readSessions(bus.home), name)
  if (session === undefined || runningAs(bus, name)) return false
  const worker = readWorkerState(bus.home, name)?.process
  return worker === undefined || !sameProcess(session.agent, worker)
}

/** Throws `NAME_TAKEN` while a worker runs under this name: it would get its messages no more. */
export function refuseOfWorker(bus: Pick<Bus, 'home' | 'processes'>, name: string): void {
  const worker = runningAs(bus, name)
  if (worker === undefined) return
  throw new CodedError('NAME_TAKEN', `@${name} is a worker that runs (process ${worker.pid})`, {
    hint: `end it first with: agent-chat down ${name}`,
  })
}

/** Throws `NAME_TAKEN` below a worker: nothing that its tools start takes another name. */
export function refuseBelowWorker({ home, processes }: Pick<Bus, 'home' | 'processes'>): void {
  const self = processes.self().pid
  for (const name of workerNames(home)) {
    const worker = runningAs({ home, processes }, name)
    if (worker === undefined || !isBelow(processes, self, worker.pid)) continue
    throw new CodedError('NAME_TAKEN', `this session is already @${name}`, {
      hint: 'a worker keeps its name; see it with: agent-chat whoami',
    })
  }
}

function runningAs(
  { home, processes }: Pick<Bus, 'home' | 'processes'>,
  name: string,
): ProcessRef | undefined {
  return liveHolder(home.workerLock(name), processes)
}

/** The process that supervises this home, where one does. */
export function supervisorOf({
  home,
  processes,
}: Pick<Bus, 'home' | 'processes'>): ProcessRef | undefined {
  return liveHolder(home.supervisorPid, processes)
}

/** Whether a worker that does not run now is started again, at the latest by its next message. */
export function comesBack(bus: Pick<Bus, 'home' | 'processes'>, name: string): boolean {
  const { home } = bus
  if (!answersAsWorker(bus, name) || supervisorOf(bus) === undefined) return false
  const wanted = readJson(home.wanted)
  const wish = typeof wanted === 'object' && wanted !== null ? Reflect.get(wanted, name) : undefined
  return wish?.want !== 'down' && shownWorker(bus, name)?.activity !== 'failed'
}
