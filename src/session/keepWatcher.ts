import { readFileSync, statSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { readSessions, type Session, type Sessions } from '../bus/names/registry.ts'
import { makeDirectory } from '../system/files.ts'
import { dropPidFile, readPidFile, writePidFile } from '../system/pidFile.ts'
import { tryPidLock } from '../system/pidlock.ts'
import type { ProcessRef } from '../system/processes.ts'
import { bellAgain } from './bellAgain.ts'
import { needsWatcher } from './doorbellChoice.ts'
import { endLine } from './needsLine.ts'
import { endNamed, homeWatcher, lacksWatcher, ownWatcher } from './watcher.ts'

/** Starts the home's watcher, detached, and gives its pid. */
export type LaunchWatcher = () => number | undefined

/**
 * So often within a minute a watcher that has ended is started again at once; then every 10 s,
 * whoever asks. In milliseconds.
 */
const STARTS_AT_ONCE = 3
const MINUTE_MS = 60_000
const BACK_OFF_MS = 10_000

/**
 * Starts the home's watcher where a session needs one and none runs. Whoever runs next does this,
 * so one that was killed comes back. False where it could not be started.
 */
export function keepWatcher(bus: Bus, launch: LaunchWatcher): boolean {
  if (!lacksWatcher(bus)) return true
  makeDirectory(bus.home.pids)
  const lock = tryPidLock(bus.home.watcherLock, bus.processes)
  // Another is starting it this moment.
  if (typeof lock !== 'function') return true
  try {
    return !lacksWatcher(bus) || start(bus, launch)
  } finally {
    lock()
  }
}

/** The sessions that the home's watcher has to ring for: not those that have one for themselves. */
export function watchedSessions(bus: Pick<Bus, 'home' | 'processes'>, sessions: Sessions) {
  return Object.values(sessions).filter(
    (session) => needsWatcher(session) && ownWatcher(bus, session.name) === undefined,
  )
}

/** The home's watcher and what rings for it now, as their files name them. */
type Watchers = { watcher: ProcessRef | undefined; ringer: ProcessRef | undefined }

export function watchersNow({ home }: Pick<Bus, 'home'>): Watchers {
  return { watcher: readPidFile(home.watcherPid), ringer: readPidFile(home.ringerPid) }
}

/**
 * Ends the home's watcher, and what rings for it now, where no session needs them any more, and
 * waits until they have ended. `before`: as they were when the last session was still there. Those
 * that have seen it leave end by themselves, and their files are gone a moment before they are.
 */
export async function endWatcher(bus: Bus, before: Watchers): Promise<void> {
  const now = watchersNow(bus)
  const ringers = [before.ringer, now.ringer].filter((ref) => ref !== undefined)
  const watcher = now.watcher ?? before.watcher
  // What rings ends by itself, and its watcher with it.
  if (ringers.some(({ pid }) => pid === bus.processes.self().pid)) return
  if (watcher && !retireWatcher(bus, watcher)) return
  // The watcher waits for what rings.
  for (const ref of ringers) await endNamed(bus, ref, bus.home.ringerPid)
  if (!watcher) return
  await endNamed(bus, watcher, bus.home.watcherPid)
  endLine(bus.home, watcher)
}

/**
 * Whether the home's watcher `ref` is needed no more; it is nobody's then. The file goes first, and
 * the registry is read then: of one who joins meanwhile, either this sees the session, or that one
 * sees no watcher.
 */
export function retireWatcher(bus: Bus, ref: ProcessRef): boolean {
  if (isNeeded(bus)) return false
  dropPidFile(bus.home.watcherPid, ref)
  return !isNeeded(bus) || !claimHomeWatcher(bus, ref)
}

function isNeeded(bus: Bus): boolean {
  const sessions = readSessions(bus.home)
  const hasBell = (session: Session) => bellAgain(bus, session) !== undefined
  return watchedSessions(bus, sessions).length > 0 || Object.values(sessions).some(hasBell)
}

/**
 * Makes `ref` the home's watcher where none runs; false where another one does. A watcher that was
 * killed is not put back.
 */
export function claimHomeWatcher(bus: Bus, ref: ProcessRef): boolean {
  const current = homeWatcher(bus)
  if (current !== undefined) return current.pid === ref.pid && current.started === ref.started
  if (!bus.processes.isAlive(ref)) return true
  const lock = tryPidLock(bus.home.watcherLock, bus.processes)
  // Whoever starts a watcher holds the lock until it has named it: `ref` itself, or one that the
  // next look finds.
  if (typeof lock !== 'function') return true
  try {
    if (homeWatcher(bus) === undefined) writePidFile(bus.home.watcherPid, ref)
  } finally {
    lock()
  }
  return claimHomeWatcher(bus, ref)
}

function start(bus: Bus, launch: LaunchWatcher): boolean {
  const before = lastStart(bus)
  if (before.count >= STARTS_AT_ONCE && before.ago < BACK_OFF_MS) return false
  const pid = launch()
  const info = pid === undefined ? undefined : bus.processes.find(pid)
  if (!info) return false
  const count = before.ago < MINUTE_MS ? before.count + 1 : 1
  writePidFile(bus.home.watcherPid, info, `${count}\n`)
  return true
}

/**
 * How often in a row the watcher was started that has ended since, and how long ago. One that ended
 * well has left no file.
 */
function lastStart({ home, clock }: Bus): { count: number; ago: number } {
  const stat = statSync(home.watcherPid, { throwIfNoEntry: false })
  if (stat === undefined || readPidFile(home.watcherPid) === undefined)
    return { count: 0, ago: Number.POSITIVE_INFINITY }
  const count = Number(readFileSync(home.watcherPid, 'utf8').split('\n')[2])
  return { count: count || 0, ago: Math.abs(clock.now() - stat.mtimeMs) }
}
