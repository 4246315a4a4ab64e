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
import { hasEnded, readWorkerState, reasonFor, STALE_MS } from './workerState.ts'

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
  { home, processes, clock }: Pick<Bus, 'home' | 'processes' | 'clock'>,
  name: string,
): WorkerShown | undefined {
  const state = readWorkerState(home, name)
  if (state === undefined) return undefined
  const runs = processes.isAlive(state.process)
  return {
    activity: runs || hasEnded(state) ? state.activity : 'crashed',
    ...{ since: state.since, started: state.started, runs },
    reason: runs ? reasonFor(state, clock.now()) : (state.reason ?? null),
  }
}

/**
 * Why a worker answers nothing before somebody looks after it, in one line: it has failed, its
 * budget is spent, or it is stuck and nobody starts it again. Undefined where an answer may come.
 */
export function cannotAnswer(
  bus: Pick<Bus, 'home' | 'processes' | 'clock'>,
  name: string,
): string | undefined {
  const state = readWorkerState(bus.home, name)
  if (state === undefined) return undefined
  const { activity, reason, beat } = state
  if (activity === 'failed') return reason ?? 'it has failed'
  if (!bus.processes.isAlive(state.process)) return undefined
  if (activity === 'idle' && reason !== undefined) return reason
  const silentMs = bus.clock.now() - Date.parse(beat)
  return silentMs > STALE_MS && supervisorOf(bus) === undefined
    ? `no sign of life for ${Math.floor(silentMs / 1000)} s, and no supervisor looks after it`
    : undefined
}

/**
 * Whether a worker was killed a moment ago, with its supervisor: whoever did that often starts both
 * again.
 */
export function hasJustFallen({ home, clock }: Pick<Bus, 'home' | 'clock'>, name: string): boolean {
  const state = readWorkerState(home, name)
  return state !== undefined && !hasEnded(state) && clock.now() - Date.parse(state.beat) <= STALE_MS
}

/** Whether a worker is at work on this message: it has taken it, and gives signs of life. */
export function isWorkingOn(
  { home, processes, clock }: Pick<Bus, 'home' | 'processes' | 'clock'>,
  name: string,
  id: string,
): boolean {
  const state = readWorkerState(home, name)
  return (
    state?.message === id &&
    processes.isAlive(state.process) &&
    clock.now() - Date.parse(state.beat) <= STALE_MS
  )
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
    const joined_at = readWorkerState(bus.home, name)?.started
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
  if (session === undefined || session.worker || runningAs(bus, name)) return false
  // An earlier version's worker left no such mark.
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
  return wish?.want !== 'down' && readWorkerState(home, name)?.activity !== 'failed'
}
