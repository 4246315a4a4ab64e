import type { Bus } from '../bus/bus.ts'
import { record } from '../bus/history.ts'
import { ensureHome, ensureInbox } from '../bus/home.ts'
import { wakeWatcher } from '../bus/mail/bell.ts'
import { isBeingRenamed } from '../bus/names/names.ts'
import {
  findSession,
  readSessions,
  type Session,
  type Sessions,
  updateSessions,
} from '../bus/names/registry.ts'
import { takeName } from '../bus/names/rename.ts'
import { noteList } from '../bus/processList.ts'
import { CodedError, isCoded } from '../errors.ts'
import { nameBeside } from '../message/name.ts'
import { isoTime } from '../message/time.ts'
import { faultPoint } from '../system/fault.ts'
import { type ProcessRef, sameProcess } from '../system/processes.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'
import { isBelow } from './agent.ts'
import { needsWatcher } from './doorbellChoice.ts'
import { keepWatcher, type LaunchWatcher } from './keepWatcher.ts'
import { forgetRings } from './rings.ts'
import { isAlive } from './roster.ts'
import { homeWatcher, stopWatcher } from './watcher.ts'

export type JoinRequest = {
  name: string
  pane: PaneAddress | undefined
  /** What that pane began with, where it is known. */
  paneProcess?: ProcessRef | undefined
  agent: ProcessRef | undefined
  /**
   * Whether the agent is a Claude Code with this plugin, which listens to its bell by itself once
   * it is up.
   */
  native: boolean
  /** `auto`, `native`, `tmux` or `stdout`. */
  doorbell: string
  cwd: string
  /** Takes a name or a pane that another live session has. */
  force: boolean
  /** Whether the home's watcher is to ring for it, where its doorbell needs one. */
  watch: boolean
  /** What the agent's input line begins with, where it is more than one sign. */
  prompt?: string | undefined
  /** Whether our launcher started the agent, so that `stop` may end it. */
  launched?: true
  /** Whether a worker registers itself. */
  worker?: true
  /** Which agent it is, where that is known and not Claude Code, and the socket of its server. */
  program?: string | undefined
  server?: string | undefined
}

export type JoinPorts = {
  bus: Bus
  tmux: Pick<Tmux, 'run'>
  startWatcher: LaunchWatcher
  warn: (text: string) => void
}

export type Joined = { session: Session; watcher: ProcessRef | null; replaced: boolean }

/**
 * Registers a session, for which the home's watcher rings. Throws `NAME_TAKEN` where the name, or
 * the pane, is another live session's. Joining again from the same agent or pane renews the entry.
 */
export async function join(request: JoinRequest, ports: JoinPorts): Promise<Joined> {
  const { bus } = ports
  refuseHidden(request.name, bus)
  ensureHome(bus.home)
  noteList(bus.home)
  ensureInbox(bus.home, request.name)
  let session = sessionOf(request, bus)
  let before: Session | undefined
  // Who is alive is asked of tmux, which may not answer: nobody waits for that at the lock.
  for (let registered = false; !registered; ) {
    const seen = rivalsOf(request, sessionsIn(bus))
    if (!request.force) await refuseTaken(request, seen, ports)
    await updateSessions(bus, (sessions, stillHeld) => {
      refuseHalfRenamed(request.name, bus)
      const rivals = rivalsOf(request, sessions)
      registered = request.force || JSON.stringify(rivals) === JSON.stringify(seen)
      if (!registered) return undefined
      before = findSession(sessions, request.name)
      takeName(bus, request.name, stillHeld)
      session = { ...session, agent: agentOf(request, before, bus) }
      if (before?.launched && sameProcess(before.agent, session.agent)) session.launched = true
      const others = Object.entries(sessions).filter(
        ([name, other]) => name === request.name || !rivals.includes(other),
      )
      const kept = before ? othersOf(before) : {}
      return { ...Object.fromEntries(others), [request.name]: { ...kept, ...session } }
    })
  }
  faultPoint('join:registered')
  // Another agent than the one before has got none of the rings that were for that one.
  if (!before?.agent || !sameProcess(before.agent, session.agent)) forgetRings(bus, request.name)
  record(bus, 'joined', { name: request.name, pane: session.pane })
  await stopWatcher(bus, request.name)
  return {
    session,
    watcher: needsWatcher(session) ? beginWatch(request.name, ports) : null,
    replaced: before !== undefined,
  }
}

/** In a sandbox no session can be seen, so that every name looks free. */
function refuseHidden(name: string, { home, processes }: Bus): void {
  if (!processes.hidden) return
  throw new CodedError('GATE_REFUSED', 'a sandbox does not show the sessions: it takes no name', {
    hint: `your user can run it in a terminal of their own: agent-chat start ${name}; in a container that was started again: rm ${home.processList}`,
  })
}

/** What an entry keeps that a new one of the same name says nothing of. */
function othersOf(before: Session): Partial<Session> {
  const kept = { ...before }
  const owns = ['pane_process', 'watch', 'prompt', 'launched', 'worker', 'program', 'server']
  for (const own of owns) delete kept[own]
  return kept
}

/** The sessions that stand in the way: the one of this name, then others of this pane or agent. */
function rivalsOf(request: JoinRequest, sessions: Sessions): Session[] {
  const holder = findSession(sessions, request.name)
  const others = Object.values(sessions).filter((other) => isSame(other, request))
  return holder ? [holder, ...others.filter((other) => other !== holder)] : others
}

/** Every session, for a start: none where the registry is broken, which `join` then keeps aside. */
export function sessionsIn({ home }: Pick<Bus, 'home'>): Sessions {
  try {
    return readSessions(home)
  } catch (error) {
    if (!isCoded(error, 'REGISTRY_BROKEN')) throw error
    return {}
  }
}

function sessionOf(request: JoinRequest, bus: Bus): Session {
  return {
    name: request.name,
    pane: request.pane?.pane ?? null,
    tmux_socket: request.pane?.socket ?? null,
    ...(request.paneProcess ? { pane_process: request.paneProcess } : {}),
    joined_at: isoTime(bus.clock.now()),
    agent: request.agent ?? null,
    native: request.native,
    doorbell: request.doorbell,
    cwd: request.cwd,
    ...(request.watch ? {} : { watch: false }),
    ...(request.prompt ? { prompt: request.prompt } : {}),
    ...(request.launched ? { launched: true } : {}),
    ...(request.worker ? { worker: true } : {}),
    ...(request.program ? { program: request.program } : {}),
    ...(request.server ? { server: request.server } : {}),
  }
}

/**
 * Seen from outside, a launcher stands in front in its pane; the agent that runs below it stays the
 * session's.
 */
function agentOf(
  request: JoinRequest,
  before: Session | undefined,
  { processes }: Bus,
): ProcessRef | null {
  const { agent = null, pane } = request
  if (!agent || !before?.agent || !samePane(before, pane) || !processes.isAlive(before.agent))
    return agent
  return isBelow(processes, before.agent.pid, agent.pid) ? before.agent : agent
}

function refuseHalfRenamed(name: string, { home }: Bus): void {
  if (!isBeingRenamed(home, name)) return
  throw new CodedError('NAME_TAKEN', `a rename from or to @${name} is not finished`, {
    hint: 'finish it with: agent-chat doctor; then join again',
  })
}

async function refuseTaken(
  request: JoinRequest,
  rivals: Session[],
  ports: JoinPorts,
): Promise<void> {
  const { name } = request
  for (const rival of rivals) {
    const own = rival.name === name && isSame(rival, request)
    const asked = { processes: ports.bus.processes, tmux: ports.tmux }
    if (own || (await isAlive(rival, asked)) !== 'alive') continue
    if (rival.name === name) throw nameTaken(rival)
    throw new CodedError('NAME_TAKEN', `this session is already @${rival.name}`, {
      hint: `rename it with: agent-chat rename ${rival.name} ${name}; or leave first with: agent-chat leave ${rival.name}`,
    })
  }
}

/** The error of a name whose session is alive: where that is, and how to get there. */
export function nameTaken(session: Session): CodedError {
  const { name, pane, worker } = session
  const where = worker
    ? `see what it does with: agent-chat logs ${name}`
    : 'it is in its own terminal'
  const goTo = pane === null ? where : `go to it with: agent-chat attach ${name}`
  return new CodedError('NAME_TAKEN', `@${name} is already running${placeOf(session)}`, {
    hint: `${goTo}; or choose another name, for example ${nameBeside(name)}; see who is there with: agent-chat who; or take this one over with --force`,
  })
}

/** The same pane, which holds one agent at a time, or the same agent. */
function isSame(holder: Session, request: JoinRequest): boolean {
  return (
    samePane(holder, request.pane) ||
    (holder.agent !== null && sameProcess(holder.agent, request.agent))
  )
}

function samePane(session: Session, pane: PaneAddress | undefined): boolean {
  return pane !== undefined && session.pane === pane.pane && session.tmux_socket === pane.socket
}

function placeOf(session: Session): string {
  if (session.pane !== null) return ` in tmux pane ${session.pane} (${session.cwd})`
  return session.agent === null ? '' : ` as process ${session.agent.pid} (${session.cwd})`
}

function beginWatch(name: string, { bus, startWatcher, warn }: JoinPorts): ProcessRef | null {
  keepWatcher(bus, startWatcher)
  wakeWatcher(bus)
  const watcher = homeWatcher(bus)
  if (watcher) return watcher
  warn(
    `the watcher of @${name} did not start; messages still arrive, but nothing wakes the session`,
  )
  return null
}
