import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { isBeingRenamed, nameSince } from '../bus/names.ts'
import { findSession, readSessions, type Session, type Sessions } from '../bus/registry.ts'
import { isCoded } from '../errors.ts'
import { claimWatcher, releaseWatcher, watcherOf } from '../session/watcher.ts'
import type { DirectoryWatch } from '../system/events.ts'
import { makeDirectory } from '../system/files.ts'
import type { Waker } from '../system/waker.ts'
import { createRinger, type RingerRequest } from './ringer.ts'

export type WatchPorts = {
  bus: Bus
  waker: Waker
  watchDirectory: (path: string, onEvent: () => void, onTrouble: (why: string) => void) => DirectoryWatch
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
}

/** The backup of the file events, and what takes their place where the machine has none left to give. */
const SCAN_MS = 30_000
const SCAN_WITHOUT_EVENTS_MS = 1000
/** How often a watcher makes sure that it is still the session's watcher and its agent still runs: two small reads. */
const CHECK_MS = 2000
/** Messages that arrive within this time of one another ring together. */
const COALESCE_MS = 10
/** The watch drops a second change of one file within 50 ms, so look again when that time is over. */
const SECOND_LOOK_MS = 75

/** Why a watcher ends, and under which name its session is then registered, if at all. */
export type Ended = { reason: string; name: string }

/**
 * Rings for a session's unread messages until the session is gone. Events only wake it: what it rings for is what the inbox holds when it looks, and it
 * looks at the start, after an event, and every 30 s. A session that is renamed keeps its watcher: the rename has moved the pid file.
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

async function watchName(request: WatchRequest & RingerRequest, ports: WatchPorts): Promise<string | Renamed> {
  const { bus, waker } = ports
  const { home } = bus
  const { name } = request.session
  const log = (text: string) => ports.log(name, text)
  const self = bus.processes.self()
  claimWatcher(home, name, self)
  makeDirectory(home.bell(name))
  let scanMs = SCAN_MS
  const watch = ports.watchDirectory(home.bell(name), waker.wake, (why) => {
    if (scanMs === SCAN_MS)
      log(`file events cannot be had (${why}); looking every ${SCAN_WITHOUT_EVENTS_MS} ms instead`)
    scanMs = SCAN_WITHOUT_EVENTS_MS
    waker.wake()
  })
  log(`watching the inbox of @${name} for the ${request.doorbell.name} doorbell`)
  const ringer = createRinger(request, { bus, log })
  try {
    return await run(request, ports, ringer.look, () => scanMs)
  } finally {
    await watch.close()
    ringer.close()
    releaseWatcher(home, name, self)
  }
}

async function run(
  request: WatchRequest & RingerRequest,
  ports: WatchPorts,
  look: () => Promise<number>,
  scanMs: () => number,
): Promise<string | Renamed> {
  const { bus, waker } = ports
  const { session, nameNow, stopped } = request
  let scanAt = 0
  let woken = false
  for (;;) {
    const scanning = bus.clock.now() >= scanAt
    const end = stopped() ? 'it was asked to end' : await reasonToEnd(session.name, nameNow, ports)
    if (end !== undefined) return end
    const wish = Math.min(await look(), woken ? SECOND_LOOK_MS : CHECK_MS)
    if (scanning) scanAt = bus.clock.now() + scanMs()
    woken = (await waker.sleep(Math.max(0, Math.min(wish, scanAt - bus.clock.now(), scanMs())))) === 'woken'
    if (woken) await waker.sleep(COALESCE_MS)
  }
}

/** What was found before a rename is no reason: then a later look decides. */
async function reasonToEnd(
  name: string,
  nameNow: () => string,
  ports: WatchPorts,
): Promise<string | Renamed | undefined> {
  const now = nameNow()
  const reason = await reasonAs(name, now, ports)
  return typeof reason !== 'string' || nameNow() === now ? reason : undefined
}

async function reasonAs(name: string, now: string, ports: WatchPorts): Promise<string | Renamed | undefined> {
  const { bus } = ports
  if (!existsSync(bus.home.root)) return 'the home is gone'
  const { pid } = bus.processes.self()
  if (now !== name && watcherOf(bus.home, now)?.pid === pid) return { renamed: now }
  if (watcherOf(bus.home, name)?.pid !== pid) return 'another watcher took over'
  const sessions = readOrUndefined(bus)
  if (sessions === undefined) return undefined
  const session = findSession(sessions, name)
  if (!session) {
    if (now === name || !findSession(sessions, now)) return 'the session has left'
    return isBeingRenamed(bus.home, name) ? undefined : { renamed: now }
  }
  if (session.agent !== null) return bus.processes.isAlive(session.agent) ? undefined : 'the agent has ended'
  return (await ports.paneExists(session)) ? undefined : 'the pane is gone'
}

/** A registry that cannot be read is for `doctor` to mend; the watcher goes on with what it knows. */
function readOrUndefined(bus: Bus): Sessions | undefined {
  try {
    return readSessions(bus.home)
  } catch (error) {
    if (isCoded(error, 'REGISTRY_BROKEN')) return undefined
    throw error
  }
}
