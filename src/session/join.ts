import type { Bus } from '../bus/bus.ts'
import { record } from '../bus/history.ts'
import { ensureHome, ensureInbox } from '../bus/home.ts'
import { isBeingRenamed, nameMeant } from '../bus/names.ts'
import { findSession, type Session, type Sessions, updateSessions } from '../bus/registry.ts'
import { takeName } from '../bus/rename.ts'
import { CodedError } from '../errors.ts'
import { nameBeside } from '../message/name.ts'
import { isoTime } from '../message/time.ts'
import { faultPoint } from '../system/fault.ts'
import type { ProcessRef } from '../system/processes.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'
import { isBelow } from './agent.ts'
import { forgetRings } from './rings.ts'
import { isAlive } from './roster.ts'
import { claimWatcher, stopWatcher, watcherOf } from './watcher.ts'

export type JoinRequest = {
  name: string
  pane: PaneAddress | undefined
  agent: ProcessRef | undefined
  /** Whether the agent is a Claude Code with this plugin, which listens to its bell by itself once it is up. */
  native: boolean
  /** `auto`, `native`, `tmux` or `stdout`. */
  doorbell: string
  cwd: string
  /** Takes a name or a pane that another live session has. */
  force: boolean
  watch: boolean
}

export type JoinPorts = {
  bus: Bus
  tmux: Tmux
  /** Starts a detached watcher for a session and gives its pid. */
  startWatcher: (name: string) => number | undefined
  warn: (text: string) => void
}

export type Joined = { session: Session; watcher: ProcessRef | null; replaced: boolean }

/**
 * Registers a session and replaces its watcher. Throws `NAME_TAKEN` where the name, or the pane, is another live session's.
 * Joining again from the same agent or pane renews the entry.
 */
export async function join(request: JoinRequest, ports: JoinPorts): Promise<Joined> {
  ensureHome(ports.bus.home)
  ensureInbox(ports.bus.home, request.name)
  let session = sessionOf(request, ports.bus)
  let before: Session | undefined
  await updateSessions(
    ports.bus,
    async (sessions, stillHeld) => {
      before = findSession(sessions, request.name)
      refuseHalfRenamed(request.name, ports.bus)
      if (!request.force) await refuseTaken(request, sessions, ports)
      takeName(ports.bus, request.name, stillHeld)
      session = { ...session, agent: agentOf(request, before, ports.bus) }
      const others = Object.entries(sessions).filter(
        ([, other]) => other.name === request.name || !isSame(other, request),
      )
      return { ...Object.fromEntries(others), [request.name]: { ...before, ...session } }
    },
    (path) => ports.warn(`sessions.json could not be read; it is kept as ${path}`),
  )
  faultPoint('join:registered')
  // Another agent than the one before has got none of the rings that were for that one.
  if (!before?.agent || !sameProcess(before.agent, session.agent)) forgetRings(ports.bus, request.name)
  record(ports.bus, 'joined', { name: request.name, pane: session.pane })
  await stopWatcher(ports.bus, request.name)
  return { session, watcher: request.watch ? startWatcher(request.name, ports) : null, replaced: before !== undefined }
}

/** Unregisters a session, by its name or one that it had before, and ends its watcher; its unread messages stay. False where it was not registered. */
export async function leave(
  formerly: string,
  ports: Pick<JoinPorts, 'bus' | 'warn'>,
  onlyIf?: (session: Session) => boolean,
): Promise<boolean> {
  let left = false
  let name = formerly
  let watcher: ProcessRef | undefined
  await updateSessions(
    ports.bus,
    (sessions) => {
      name = nameMeant(ports.bus.home, sessions, formerly)
      watcher = watcherOf(ports.bus.home, name)
      const session = findSession(sessions, name)
      left = session !== undefined && (onlyIf?.(session) ?? true)
      return left ? Object.fromEntries(Object.entries(sessions).filter(([key]) => key !== name)) : undefined
    },
    (path) => ports.warn(`sessions.json could not be read; it is kept as ${path}`),
  )
  if (!left) return false
  faultPoint('leave:unregistered')
  record(ports.bus, 'left', { name })
  await stopWatcher(ports.bus, name, watcher)
  return true
}

function sessionOf(request: JoinRequest, bus: Bus): Session {
  return {
    name: request.name,
    pane: request.pane?.pane ?? null,
    tmux_socket: request.pane?.socket ?? null,
    joined_at: isoTime(bus.clock.now()),
    agent: request.agent ?? null,
    native: request.native,
    doorbell: request.doorbell,
    cwd: request.cwd,
  }
}

/** Seen from outside, a launcher stands in front in its pane; the agent that runs below it stays the session's. */
function agentOf(request: JoinRequest, before: Session | undefined, { processes }: Bus): ProcessRef | null {
  const { agent = null, pane } = request
  if (!agent || !before?.agent || !samePane(before, pane) || !processes.isAlive(before.agent)) return agent
  return isBelow(processes, before.agent.pid, agent.pid) ? before.agent : agent
}

function refuseHalfRenamed(name: string, { home }: Bus): void {
  if (!isBeingRenamed(home, name)) return
  throw new CodedError('NAME_TAKEN', `a rename from or to @${name} was begun and not finished`, {
    hint: 'finish it with: agent-chat doctor; then join again',
  })
}

async function refuseTaken(request: JoinRequest, sessions: Sessions, ports: JoinPorts): Promise<void> {
  const alive = async (session: Session) =>
    (await isAlive(session, { processes: ports.bus.processes, tmux: ports.tmux })) === 'alive'
  const holder = findSession(sessions, request.name)
  if (holder && !isSame(holder, request) && (await alive(holder))) {
    throw new CodedError('NAME_TAKEN', `@${request.name} is already at work${placeOf(holder)}`, {
      hint: takenHint(request.name),
    })
  }
  const neighbour = Object.values(sessions).find((other) => other.name !== request.name && isSame(other, request))
  if (neighbour && (await alive(neighbour))) {
    throw new CodedError('NAME_TAKEN', `this session is already @${neighbour.name}`, {
      hint: `rename it with: agent-chat rename ${neighbour.name} ${request.name}; or leave first with: agent-chat leave ${neighbour.name}`,
    })
  }
}

/** What to do where another session has the name. */
export function takenHint(name: string): string {
  return `choose another name, for example ${nameBeside(name)}; see who is there with: agent-chat who; or take this one over with --force`
}

/** The same pane, which holds one agent at a time, or the same agent. */
function isSame(holder: Session, request: JoinRequest): boolean {
  return samePane(holder, request.pane) || (holder.agent !== null && sameProcess(holder.agent, request.agent ?? null))
}

/** Whether two marks name one process. */
export function sameProcess(a: ProcessRef, b: ProcessRef | null): boolean {
  return a.pid === b?.pid && a.started === b.started
}

function samePane(session: Session, pane: PaneAddress | undefined): boolean {
  return pane !== undefined && session.pane === pane.pane && session.tmux_socket === pane.socket
}

function placeOf(session: Session): string {
  if (session.pane !== null) return ` in tmux pane ${session.pane} (${session.cwd})`
  return session.agent === null ? '' : ` as process ${session.agent.pid} (${session.cwd})`
}

function startWatcher(name: string, ports: JoinPorts): ProcessRef | null {
  const pid = ports.startWatcher(name)
  const info = pid === undefined ? undefined : ports.bus.processes.find(pid)
  if (!info) {
    ports.warn(`the watcher of @${name} did not start; messages arrive all the same, without a doorbell`)
    return null
  }
  const ref = { pid: info.pid, started: info.started }
  claimWatcher(ports.bus.home, name, ref)
  return ref
}
