import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { findSession, readSessions } from '../bus/names/registry.ts'
import { argumentsAtHand } from '../system/commandLine.ts'
import { dropPidFile, readPidFile, writePidFile } from '../system/pidFile.ts'
import type { ProcessRef } from '../system/processes.ts'
import { timeLeft } from '../system/timeLeft.ts'
import { bellAgain } from './bellAgain.ts'
import { needsWatcher } from './doorbellChoice.ts'

/** How long a watcher that was asked to end may take. */
const END_MS = 3000

/**
 * The watcher that a session has for itself, as its pid file names it, or undefined; whether it
 * still runs is another question.
 */
export function watcherOf(home: Pick<Home, 'pid'>, name: string): ProcessRef | undefined {
  return readPidFile(home.pid(name))
}

/**
 * The watcher that a session has for itself, where it runs. A pid that another process has by now
 * is not it: the file names its start, too.
 */
export function ownWatcher(bus: Pick<Bus, 'home' | 'processes'>, name: string) {
  return running(bus, bus.home.pid(name))
}

/**
 * The home's watcher, which rings for all sessions that have none for themselves, where it runs. One
 * whose program has gone meanwhile, as with an update of the plugin, only waits to end.
 */
export function homeWatcher(bus: Pick<Bus, 'home' | 'processes'>): ProcessRef | undefined {
  const ref = running(bus, bus.home.watcherPid)
  return ref && hasProgram(ref) ? ref : undefined
}

/** Whether what a resting watcher starts is there (src/doorbell/rest.ts). Seen on Linux alone. */
function hasProgram({ pid }: ProcessRef): boolean {
  const [shell, , , name, ...program] = argumentsAtHand(pid) ?? []
  if (shell !== '/bin/sh' || name !== 'agent-chat') return true
  return program.slice(0, 2).every((path) => !isAbsolute(path) || existsSync(path))
}

/** The watcher that rings for a session: its own, else the home's where that has to. */
export function liveWatcher(bus: Bus, name: string): ProcessRef | undefined {
  const own = ownWatcher(bus, name)
  if (own) return own
  const session = findSession(readSessions(bus.home), name)
  return session && needsWatcher(session) ? homeWatcher(bus) : undefined
}

/**
 * Whether a session is there for which nobody rings. One whose agent has ended, as seen from here,
 * is none.
 */
export function lacksWatcher(bus: Bus): boolean {
  const { isAlive } = bus.processes
  return (
    homeWatcher(bus) === undefined &&
    Object.values(readSessions(bus.home)).some(
      (session) =>
        (needsWatcher(session) &&
          (session.agent === null || isAlive(session.agent)) &&
          ownWatcher(bus, session.name) === undefined) ||
        bellAgain(bus, session) !== undefined,
    )
  )
}

/**
 * Makes `ref` the session's own watcher. One that ran before sees it and ends by itself, also where
 * it cannot be asked to.
 */
export function claimWatcher(home: Pick<Home, 'pid'>, name: string, ref: ProcessRef): void {
  writePidFile(home.pid(name), ref)
}

/** Forgets the session's own watcher if it is `ref`. */
export function releaseWatcher(home: Pick<Home, 'pid'>, name: string, ref: ProcessRef): void {
  dropPidFile(home.pid(name), ref)
}

/** Ends the watcher that a session has for itself, if one runs, and waits until it has. */
export async function stopWatcher(
  bus: Bus,
  name: string,
  ref = watcherOf(bus.home, name),
): Promise<void> {
  if (!ref) return
  await endNamed(bus, ref, bus.home.pid(name))
}

/**
 * Ends the process that a pid file names, and removes the file once it has ended: until then another
 * process may put it back.
 */
export async function endNamed(bus: Bus, ref: ProcessRef, file: string): Promise<void> {
  await endProcess(bus, ref)
  dropPidFile(file, ref)
}

/**
 * Ends a process, and waits until it has. Only ever signals the very process that a file names, or
 * named when the caller looked: a watcher that ends by itself removes the file a moment before it
 * is gone.
 */
async function endProcess({ processes }: Bus, ref: ProcessRef): Promise<void> {
  const left = timeLeft(END_MS)
  for (
    let signal: NodeJS.Signals | undefined = 'SIGTERM';
    processes.isAlive(ref);
    signal = undefined
  ) {
    if (signal) processes.signal(ref, signal)
    if (left() <= 0) {
      processes.signal(ref, 'SIGKILL')
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

function running({ processes }: Pick<Bus, 'processes'>, path: string): ProcessRef | undefined {
  const ref = readPidFile(path)
  return ref && processes.isAlive(ref) ? ref : undefined
}
