import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { wakeWatcher } from '../bus/mail/bell.ts'
import { isBeingRenamed, nameSince } from '../bus/names/names.ts'
import { findSession, readSessions, type Session, type Sessions } from '../bus/names/registry.ts'
import { isCoded } from '../errors.ts'
import { claimWatcher, releaseWatcher, watcherOf } from '../session/watcher.ts'
import type { DirectoryWatch } from '../system/events.ts'
import { makeDirectory } from '../system/files.ts'
import { terminalOf } from '../system/terminals.ts'
import { sleepOut, type Waker } from '../system/waker.ts'
import { PANE_GONE } from './pane.ts'
import { createRinger, type RingerRequest } from './ringer.ts'

export type WatchPorts = {
  bus: Bus
  waker: Waker
  watchDirectory: (
    path: string,
    onEvent: () => void,
    onTrouble: (why: string) => void,
  ) => DirectoryWatch
  /** Whether the session's pane is still there; asked at every check, where no process tells. */
  paneExists: (session: Session) => Promise<boolean>
  /** Called when the session has another name than `from`, before it is watched under that. */
  onRenamed: (from: string, session: Session) => Promise<void>
  /** Writes a line into the log of the watcher of this name. */
  log: (name: string, text: string) => void
}

export type WatchRequest = Omit<RingerRequest, 'nameNow'> & {
  /** Whether the watcher was asked to end. */
  stopped: () => boolean
  hold: Hold
  /** Called after each look: whether anything is left to wait for. */
  looked?: (atRest: boolean) => void
}

/** What makes this the one that rings for the session. */
export type Hold = {
  /** Takes the session of this name; whether that is news. */
  take: (name: string) => boolean
  /** Whether a rename has brought it to this name. */
  follows: (name: string) => boolean
  /**
   * Why it rings no longer for the session of this name, as it is registered, if it is; else
   * undefined.
   */
  lost: (name: string, session: Session | undefined) => string | undefined
  release: (name: string) => void
}

/** Holds a session by its own pid file: the last one to take it is the one. */
export function ownHold({ home, processes }: Bus): Hold {
  const isOurs = (name: string) => watcherOf(home, name)?.pid === processes.self().pid
  return {
    take: (name) => {
      claimWatcher(home, name, processes.self())
      // The home's watcher leaves it to this one.
      wakeWatcher({ home, processes })
      return true
    },
    follows: isOurs,
    lost: (name) => (isOurs(name) ? undefined : 'another watcher took over'),
    release: (name) => releaseWatcher(home, name, processes.self()),
  }
}

/**
 * The backup of the file events, and what takes their place where the machine has none left to
 * give.
 */
const SCAN_MS = 30_000
const SCAN_WITHOUT_EVENTS_MS = 1000
/**
 * How often a watcher makes sure that it is still the session's watcher and its agent still runs:
 * two small reads.
 */
const CHECK_MS = 2000
/** Messages that arrive within this time of the first one ring together. */
const COALESCE_MS = 10
/**
 * The watch drops a second change of one file within 50 ms, so look again when that time is over.
 */
const SECOND_LOOK_MS = 75

const HOME_GONE = 'the home is gone'
export const AGENT_ENDED = 'the agent has ended'

/** Why a watcher ends, and under which name its session is then registered, if at all. */
export type Ended = { reason: string; name: string }

/**
 * Rings for a session's unread messages until the session is gone, or its terminal. Events only
 * wake it: what it rings for is what the inbox holds when it looks, and it looks at the start,
 * after an event, and every 30 s. A session that is renamed keeps its watcher: the rename has moved
 * the pid file.
 */
export async function watchInbox(request: WatchRequest, ports: WatchPorts): Promise<Ended> {
  let { session } = request
  // From the first name and its time on, all the way: another session may have that name by now.
  const nameNow = nameSince(ports.bus, session.name)
  for (;;) {
    const reason = await watchName({ ...request, session, nameNow }, ports)
    if (typeof reason === 'string') return { reason, name: session.name }
    const from = session.name
    session = { ...session, name: reason.renamed }
    await ports.onRenamed(from, session)
  }
}

/** The session has this name now. */
type Renamed = { renamed: string }

async function watchName(
  request: WatchRequest & RingerRequest,
  ports: WatchPorts,
): Promise<string | Renamed> {
  const { bus, waker } = ports
  const { home } = bus
  const { name } = request.session
  const log = (text: string) => ports.log(name, text)
  const isNews = request.hold.take(name)
  makeDirectory(home.bell(name))
  let scanMs = SCAN_MS
  const watch = ports.watchDirectory(home.bell(name), waker.wake, (why) => {
    if (scanMs === SCAN_MS)
      log(
        `file events are not available (${why}); looking every ${SCAN_WITHOUT_EVENTS_MS} ms instead`,
      )
    scanMs = SCAN_WITHOUT_EVENTS_MS
    waker.wake()
  })
  if (isNews) log(`watching the inbox of @${name} for the ${request.doorbell.name} doorbell`)
  request.doorbell.onChange?.(waker.wake)
  const ringer = createRinger(request, { bus, log })
  try {
    return await run(request, ports, ringer.look, () => scanMs)
  } finally {
    await watch.close()
    ringer.close()
    request.hold.release(name)
  }
}

async function run(
  request: WatchRequest & RingerRequest,
  ports: WatchPorts,
  look: () => Promise<number>,
  scanMs: () => number,
): Promise<string | Renamed> {
  const { bus, waker } = ports
  const { session, nameNow, stopped, hold, looked } = request
  let scanAt = 0
  let woken = false
  for (;;) {
    const scanning = bus.clock.now() >= scanAt
    const end = stopped()
      ? 'it was told to end'
      : await reasonToEnd(session.name, nameNow, hold, ports)
    if (end !== undefined) return end
    const next = await look()
    looked?.(next === Number.POSITIVE_INFINITY)
    const wish = Math.min(next, woken ? SECOND_LOOK_MS : CHECK_MS)
    if (scanning) scanAt = bus.clock.now() + scanMs()
    woken =
      (await waker.sleep(Math.max(0, Math.min(wish, scanAt - bus.clock.now(), scanMs())))) ===
      'woken'
    // Each message makes an event of its own.
    if (woken) await sleepOut(waker, COALESCE_MS)
  }
}

/** What was found before a rename is no reason: then a later look decides. */
async function reasonToEnd(
  name: string,
  nameNow: () => string,
  hold: Hold,
  ports: WatchPorts,
): Promise<string | Renamed | undefined> {
  const now = nameNow()
  const reason = await reasonAs(name, now, hold, ports)
  return typeof reason !== 'string' || nameNow() === now ? reason : undefined
}

async function reasonAs(
  name: string,
  now: string,
  hold: Hold,
  ports: WatchPorts,
): Promise<string | Renamed | undefined> {
  const { bus } = ports
  if (!existsSync(bus.home.root)) return HOME_GONE
  if (now !== name && hold.follows(now)) return { renamed: now }
  const sessions = readOrUndefined(bus)
  const session = sessions && findSession(sessions, name)
  const lost = hold.lost(name, session)
  if (lost !== undefined) return lost
  if (sessions === undefined) return undefined
  if (!session) {
    if (now === name || !findSession(sessions, now)) return 'the session has left'
    return isBeingRenamed(bus.home, name) ? undefined : { renamed: now }
  }
  const { agent, pane } = session
  if (agent !== null && !bus.processes.isAlive(agent)) return AGENT_ENDED
  // An agent may outlive its terminal, and is of no use to anybody then.
  if (agent !== null && (pane === null || terminalOf(agent.pid) !== undefined)) return undefined
  return (await ports.paneExists(session)) ? undefined : PANE_GONE
}

/**
 * A registry that cannot be read is for `doctor` to mend; the watcher goes on with what it knows.
 */
export function readOrUndefined(bus: Bus): Sessions | undefined {
  try {
    return readSessions(bus.home)
  } catch (error) {
    if (isCoded(error, 'REGISTRY_BROKEN')) return undefined
    throw error
  }
}
