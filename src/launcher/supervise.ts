import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { eventsFromEnd, record } from '../bus/history.ts'
import { wakeWatcher } from '../bus/mail/bell.ts'
import {
  findSession,
  nameMeant,
  readSessions,
  type Session,
  updateSessions,
} from '../bus/names/registry.ts'
import { type JoinPorts, type JoinRequest, join } from '../session/join.ts'
import { forgetLaunch, noteFell } from '../session/launched.ts'
import { leave } from '../session/leave.ts'
import { type ProcessRef, sameProcess } from '../system/processes.ts'
import type { Ended } from '../system/signals.ts'
import type { Started } from '../system/start.ts'
import type { PaneAddress } from '../system/tmux.ts'

export type SupervisePorts = JoinPorts & {
  startAgent: () => Started
  /** What is to be kept of the agent that has started. */
  onAgent: (agent: ProcessRef) => void
  /** Calls back when this process is asked to end. */
  onStop: (callback: (signal: NodeJS.Signals) => void) => void
}

/** How long an agent that was asked to end may take before its session leaves all the same. */
const END_MS = 3000

/** An agent that ends sooner than this after it joined was not started. In milliseconds. */
export const EARLY_MS = 5000

/** An agent that was asked to end takes no longer, and is killed then. In milliseconds. */
const STOPPED_MS = 15_000

/** How much of its screen is kept then. */
const LAST_LINES = 8
const LINE_LENGTH = 200

/**
 * Joins, runs the agent in this terminal, and leaves when it ends, however it ends. Gives how it
 * ended.
 */
export async function supervise(
  request: Omit<JoinRequest, 'agent'>,
  ports: SupervisePorts,
): Promise<Ended> {
  const { bus } = ports
  // Registered under this process until the agent has one: a name that is taken must not start an
  // agent.
  const self = bus.processes.self()
  const { session } = await join({ ...request, agent: self }, ports)
  const refs = [self]
  let told = false
  // Where it was made to leave, it may have been registered again for the same agent.
  const isOurs = (now: Session) =>
    now.joined_at === session.joined_at || refs.some((ref) => sameProcess(ref, now.agent))
  try {
    const agent = ports.startAgent()
    const stopped = new Promise<Ended>((resolve) => {
      ports.onStop((signal) => {
        // Ctrl-C reaches the agent by itself; what it means is the agent's affair.
        if (signal === 'SIGINT') return
        told = true
        agent.kill(signal)
        setTimeout(() => resolve({ code: 1, signal }), END_MS).unref()
      })
    })
    const info = agent.pid === undefined ? undefined : bus.processes.find(agent.pid)
    if (info) {
      refs.push({ pid: info.pid, started: info.started })
      await noteAgent(request.name, info, bus, isOurs)
      ports.onAgent({ pid: info.pid, started: info.started })
    }
    const ended = await Promise.race([agent.ended, stopped])
    // Nobody asked for it, and nothing went wrong: the person has left it.
    if (ended.code === 0 && !told) forgetLaunch(bus, request.name)
    const { code, signal } = ended
    const early = hasJustJoined(request.name, bus)
    const byHand = wasStopped(request.name, bus)
    record(bus, 'ended', { name: request.name, code, signal, ...byHand })
    if (!told && !early && !byHand.stopped) noteBadEnd(request.name, ended, bus)
    return ended
  } finally {
    await leave(request.name, ports, isOurs)
  }
}

/**
 * The agent in a launcher's pane has ended, and tells nothing any more: its session leaves,
 * whatever its name is now. The last lines of `screen` are noted where that was at once; it is
 * undefined where the pane was closed under the agent.
 */
export async function leaveEnded(
  launched: string,
  { pane, code, signal, screen }: Ended & { pane: PaneAddress; screen: string | undefined },
  bus: Bus,
): Promise<void> {
  // A home that was removed is not to come back for that.
  if (!existsSync(bus.home.sessions)) return
  const isOurs = (now: Session) =>
    now.pane === pane.pane &&
    now.tmux_socket === pane.socket &&
    !(now.agent !== null && bus.processes.isAlive(now.agent))
  const sessions = readSessions(bus.home)
  const session = Object.values(sessions).find(isOurs)
  const name = session?.name ?? nameMeant(bus.home, sessions, launched)
  const early = hasJustJoined(name, bus)
  const stopped = wasStopped(name, bus)
  const shown = early && !stopped.stopped ? { screen: lastLines(screen ?? '') } : {}
  record(bus, 'ended', { name, code, signal, ...stopped, ...shown })
  if (code === 0 && screen !== undefined) forgetLaunch(bus, name)
  if (screen !== undefined && !early && !stopped.stopped) noteBadEnd(name, { code, signal }, bus)
  if (session) await leave(name, { bus }, isOurs)
}

/** By these somebody ends it: they close its terminal, press Ctrl-C, or ask it to end. */
const ASKED: (string | null)[] = ['SIGHUP', 'SIGINT', 'SIGTERM']

function noteBadEnd(name: string, { code, signal }: Ended, bus: Bus): void {
  if (code === 0 || ASKED.includes(signal)) return
  noteFell(bus, name, { code, signal, at: new Date(bus.clock.now()).toISOString() })
  // It keeps the line that says who needs the person.
  wakeWatcher(bus)
}

/** By the history: whoever saw the agent end first may have had its session leave already. */
function hasJustJoined(name: string, { home, clock }: Bus): boolean {
  for (const event of eventsFromEnd(home)) {
    if (clock.now() - Date.parse(event.at) >= EARLY_MS) return false
    if (event.event === 'joined' && event.name === name) return true
  }
  return false
}

/** Whether the person has just asked for the end of this session's agent. */
function wasStopped(name: string, { home, clock }: Bus): { stopped?: true } {
  for (const { at, event, name: whose } of eventsFromEnd(home)) {
    if (clock.now() - Date.parse(at) >= STOPPED_MS || (event === 'joined' && whose === name)) break
    if (event === 'stopped' && whose === name) return { stopped: true }
  }
  return {}
}

function lastLines(screen: string): string[] {
  const lines = screen.split('\n').filter((line) => line.trim() !== '')
  return lines.slice(-LAST_LINES).map((line) => line.trimEnd().slice(0, LINE_LENGTH))
}

async function noteAgent(
  name: string,
  { pid, started }: ProcessRef,
  bus: Bus,
  isOurs: (now: Session) => boolean,
): Promise<void> {
  await updateSessions(bus, (sessions) => {
    const session = findSession(sessions, name)
    return session && isOurs(session)
      ? { ...sessions, [name]: { ...session, agent: { pid, started } } }
      : undefined
  })
}
