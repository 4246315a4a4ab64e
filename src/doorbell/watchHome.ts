import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { rewriteRing } from '../bus/mail/bell.ts'
import type { Session, Sessions } from '../bus/names/registry.ts'
import { bellAgain } from '../session/bellAgain.ts'
import { needsWatcher } from '../session/doorbellChoice.ts'
import { claimHomeWatcher, retireWatcher, watchedSessions } from '../session/keepWatcher.ts'
import { unrungIds } from '../session/rings.ts'
import { ownWatcher } from '../session/watcher.ts'
import { hintOnChanges } from '../system/hints.ts'
import { dropPidFile, readPidFile, writePidFile } from '../system/pidFile.ts'
import type { ProcessRef } from '../system/processes.ts'
import { createWaker } from '../system/waker.ts'
import { knownSessions, noteKnown } from './known.ts'
import type { Doorbell, RingerRequest } from './ringer.ts'
import { type Ended, type Hold, readOrUndefined, type WatchPorts, watchInbox } from './watch.ts'

export type HomeWatchRequest = {
  /** The process that waits while there is nothing to do: this one works for it. */
  watcher: ProcessRef
  doorbellOf: (session: Session) => Pick<RingerRequest, 'doorbell' | 'leaveToNative'>
}

export type HomeWatchPorts = Pick<WatchPorts, 'bus' | 'watchDirectory' | 'log'> & {
  /** A look at a session's pane, again and again. */
  paneLooker: () => WatchPorts['paneExists']
  /** Makes the line that says who needs the person true again. Gives whether it tells them soon. */
  keepLine: () => Promise<boolean>
  /** Called when a session is watched no more, with the reason. */
  onEnded: (ended: Ended) => Promise<void>
  /** Calls back when this process is asked to end. */
  onStop: (callback: () => void) => void
}

/**
 * For so long nothing must be left to do before this ends: longer where there was something, which
 * more often follows. In milliseconds.
 */
const REST_MS = 1000
const REST_AFTER_WORK_MS = 5000
const LOOK_MS = 500
/** How often it looks at who needs the person, as long as it runs. In milliseconds. */
const LINE_MS = 1000

/** What rings for one session. `rang`: it has, since that was last asked. */
type Watched = {
  name: string
  atRest: boolean
  rang: boolean
  wake: () => void
  done: Promise<void>
}

/**
 * Rings for all sessions of the home that need it, each by itself, so that one whose tmux server
 * hangs keeps no other waiting, until nothing is left to ring for. Gives the sessions whose watcher
 * may rest now; undefined where none needs it any more, or another one has taken over.
 */
export async function watchHome(
  request: HomeWatchRequest,
  ports: HomeWatchPorts,
): Promise<Session[] | undefined> {
  const { home, processes } = ports.bus
  const self = processes.self()
  const waker = createWaker()
  let stopped = false
  ports.onStop(() => {
    stopped = true
    waker.wake()
  })
  const isOurs = () =>
    existsSync(home.root) &&
    claimHomeWatcher(ports.bus, request.watcher) &&
    readPidFile(home.ringerPid)?.pid === self.pid
  if (!existsSync(home.root)) return undefined
  writePidFile(home.ringerPid, self)
  const all = new Set<Watched>()
  const line = lineKeeper(ports)
  const isOf = (file: string) => file === 'sessions.json'
  const close = hintOnChanges([{ directory: home.root, isOf }], waker.wake)
  try {
    return await untilRest(request, ports, all, {
      ...waker,
      line,
      stopped: () => stopped,
      over: () => stopped || !isOurs(),
    })
  } finally {
    close()
    stopped = true
    for (const { wake } of all) wake()
    await Promise.all([line.looked(), ...[...all].map(({ done }) => done)])
    dropPidFile(home.ringerPid, self)
  }
}

type Control = ReturnType<typeof createWaker> & {
  line: ReturnType<typeof lineKeeper>
  stopped: () => boolean
  over: () => boolean
}

async function untilRest(
  request: HomeWatchRequest,
  ports: HomeWatchPorts,
  all: Set<Watched>,
  control: Control,
): Promise<Session[] | undefined> {
  const { bus } = ports
  const { line } = control
  const known = knownSessions(bus.home)
  let sessions = known
  let [worked, restAt] = [false, bus.clock.now() + REST_MS]
  for (;;) {
    if (control.over()) return undefined
    const registered = readOrUndefined(bus)
    if (registered) sessions = watchedSessions(bus, registered)
    ringBellsAgain(bus, registered)
    for (const session of sessions)
      if (![...all].some(({ name }) => name === session.name))
        begin(session, !known.some((one) => isSame(one, session)), request, ports, all, control)
    line.look()
    if (sessions.length === 0 && all.size === 0 && retireWatcher(bus, request.watcher))
      return undefined
    const now = bus.clock.now()
    const atWork = [...all].some(({ atRest }) => !atRest)
    // A ring by a queue is over between two looks.
    const rang = haveRung(all)
    worked ||= rang || (atWork && sessions.some(({ name }) => unrungIds(bus, name).length > 0))
    if (atWork || rang) restAt = now + (worked ? REST_AFTER_WORK_MS : REST_MS)
    // What comes after this note is newer than it: the watcher sees that, also where nobody wakes
    // it.
    if (now >= restAt && !line.tells()) {
      noteKnown(bus.home, sessions)
      const isQuiet = sessions.every(({ name }) => unrungIds(bus, name).length === 0)
      if (isQuiet && !(await line.last())) return sessions
    }
    await control.sleep(LOOK_MS)
  }
}

/** Rings the bells of agents that listen by themselves, where it is time to after a failed turn. */
function ringBellsAgain(bus: Bus, sessions: Sessions = {}): void {
  for (const session of Object.values(sessions)) {
    const at = bellAgain(bus, session)
    if (at !== undefined && at <= bus.clock.now()) rewriteRing(bus.home, session.name)
  }
}

/** Looks at who needs the person, one look at a time: none keeps a bell waiting. */
function lineKeeper({ keepLine, bus }: HomeWatchPorts) {
  let looking: Promise<void> | undefined
  let lookAt = 0
  let tells = false
  const keep = async () => {
    tells = await keepLine()
  }
  return {
    tells: () => tells,
    look: () => {
      if (looking !== undefined || bus.clock.now() < lookAt) return
      looking = keep().finally(() => {
        looking = undefined
        lookAt = bus.clock.now() + LINE_MS
      })
    },
    looked: async () => looking,
    last: async () => {
      await looking
      await keep()
      return tells
    },
  }
}

function haveRung(all: Set<Watched>): boolean {
  const ringers = [...all].filter(({ rang }) => rang)
  for (const watched of ringers) watched.rang = false
  return ringers.length > 0
}

function begin(
  session: Session,
  isNew: boolean,
  request: HomeWatchRequest,
  ports: HomeWatchPorts,
  all: Set<Watched>,
  control: Control,
): void {
  const waker = createWaker()
  const watched: Watched = {
    ...{ name: session.name, atRest: false, rang: false },
    ...{ wake: waker.wake, done: Promise.resolve() },
  }
  const { doorbell, leaveToNative } = request.doorbellOf(session)
  const ended = watchInbox(
    {
      doorbell: telling(doorbell, watched),
      leaveToNative,
      session,
      stopped: control.stopped,
      hold: sharedHold(ports.bus, session, isNew),
      looked: (atRest) => {
        watched.atRest = atRest
      },
    },
    {
      ...ports,
      waker,
      paneExists: ports.paneLooker(),
      onRenamed: async (_, { name }) => {
        watched.name = name
      },
    },
  )
  watched.done = ended
    .then(async (end) => {
      if (!control.stopped()) await ports.onEnded(end)
    })
    .finally(() => {
      all.delete(watched)
      control.wake()
    })
  all.add(watched)
}

/** Notes each ring. */
function telling(doorbell: Doorbell, watched: Watched): Doorbell {
  return {
    ...doorbell,
    ring: async (...given) => {
      const result = await doorbell.ring(...given)
      watched.rang ||= result.kind === 'rung'
      return result
    },
  }
}

/**
 * Holds a session for the home's watcher, as it is registered: one that has joined anew is watched
 * anew.
 */
function sharedHold(bus: Bus, session: Session, isNew: boolean): Hold {
  return {
    take: () => isNew,
    follows: () => false,
    lost: (name, now) => {
      if (ownWatcher(bus, name)) return 'another watcher took over'
      const changed = now !== undefined && !(isSame(now, session, name) && needsWatcher(now))
      return changed ? 'it has joined again' : undefined
    },
    release: () => {},
  }
}

function isSame(one: Session, other: Session, name = other.name): boolean {
  return one.name === name && one.joined_at === other.joined_at
}
