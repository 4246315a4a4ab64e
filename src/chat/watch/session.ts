import { existsSync } from 'node:fs'
import {
  findSession,
  nameMeant,
  readSessions,
  type Session,
  updateSessions,
} from '../../bus/names/registry.ts'
import { stdoutDoorbell } from '../../doorbell/bells.ts'
import type { Doorbell } from '../../doorbell/ringer.ts'
import { ownHold, watchInbox } from '../../doorbell/watch.ts'
import { CodedError } from '../../errors.ts'
import { parseName } from '../../message/name.ts'
import { type DoorbellChoice, parseDoorbell } from '../../session/doorbellChoice.ts'
import { resolvePane } from '../../session/pane.ts'
import { paneLooker } from '../../session/roster.ts'
import { watchDirectory } from '../../system/events.ts'
import { createWaker } from '../../system/waker.ts'
import type { Ports as ChatPorts } from '../ports.ts'
import { unknownSession } from '../recipient.ts'
import { doorbellOf, loadRest, logTo, onEnded, type WatchPorts } from './watcher.ts'

/** `show` prints a line of the stdout doorbell. */
type Ports = WatchPorts & Pick<ChatPorts, 'cwd'> & { show: (line: string) => void }

export type WatchRequest = { name: string; pane?: string; doorbell?: string }

/**
 * Watches until the session is gone or the process is asked to end. Replaces the session's watcher.
 */
export async function watchSession(
  request: WatchRequest,
  ports: Ports,
): Promise<{ name: string; reason: string }> {
  const name = parseName(request.name)
  const bus = ports.bus()
  const { session, before } = await prepare(name, request, ports)
  const choice = parseDoorbell(session.doorbell)
  const doorbell = chooseDoorbell(choice, session, ports)
  await loadRest()
  const waker = createWaker()
  const log = logTo(bus)
  let stopped = false
  ports.onStop(() => {
    stopped = true
    waker.wake()
  })
  const paneExists = paneLooker({ processes: bus.processes, tmux: ports.tmux })
  const ended = await watchInbox(
    {
      ...{ session, doorbell, hold: ownHold(bus) },
      leaveToNative: choice === 'auto',
      stopped: () => stopped,
    },
    { bus, waker, watchDirectory, paneExists, log, onRenamed: async () => {} },
  )
  await onEnded(ended, log, ports)
  if (session.doorbell !== before.doorbell)
    await giveBack({ ...session, name: ended.name }, before.doorbell, ports)
  return ended
}

/**
 * Writes what the command line says of the session's pane and doorbell into the registry, and gives
 * the session.
 */
async function prepare(
  name: string,
  request: WatchRequest,
  ports: Ports,
): Promise<{ session: Session; before: Session }> {
  const asked = request.doorbell ?? (ports.env.AGENT_CHAT_DOORBELL || undefined)
  const doorbell = asked === undefined ? {} : { doorbell: parseDoorbell(asked) }
  const address = request.pane === undefined ? undefined : await resolvePane(request.pane, ports)
  const pane = address ? { pane: address.pane, tmux_socket: address.socket, agent: null } : {}
  const sessions = readSessions(ports.bus().home)
  // It may have been renamed since this process was started for it.
  const session = findSession(sessions, nameMeant(ports.bus().home, sessions, name))
  if (!session) throw unknownSession(name, Object.keys(sessions))
  const next: Session = { ...session, ...doorbell, ...pane }
  if (JSON.stringify(next) === JSON.stringify(session)) return { session, before: session }
  await change(name, ports, (current) => ({ ...current, ...doorbell, ...pane }))
  return { session: next, before: session }
}

/** What this watcher was told of the doorbell holds as long as it runs, no longer. */
async function giveBack(session: Session, doorbell: string, ports: Ports): Promise<void> {
  // A home that was removed must not come back for that.
  if (!existsSync(ports.bus().home.sessions)) return
  await change(session.name, ports, (current) => {
    return current.joined_at === session.joined_at && current.doorbell === session.doorbell
      ? { ...current, doorbell }
      : current
  })
}

async function change(
  name: string,
  ports: Ports,
  next: (current: Session) => Session,
): Promise<void> {
  const bus = ports.bus()
  await updateSessions(bus, (sessions) => {
    const current = findSession(sessions, nameMeant(bus.home, sessions, name))
    return current && { ...sessions, [current.name]: next(current) }
  })
}

function chooseDoorbell(choice: DoorbellChoice, session: Session, ports: Ports): Doorbell {
  if (choice === 'stdout') return stdoutDoorbell(ports.show)
  if (choice === 'native') {
    throw new CodedError('USAGE', 'the native doorbell needs no watcher', {
      hint: 'use --doorbell tmux or stdout',
    })
  }
  return doorbellOf(session, ports)
}
