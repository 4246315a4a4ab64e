import type { Bus } from '../bus/bus.ts'
import { record } from '../bus/history.ts'
import { findSession, type Session, updateSessions } from '../bus/registry.ts'
import { needsWatcher } from '../session/doorbellChoice.ts'
import { type JoinPorts, type JoinRequest, join, leave, sameProcess } from '../session/join.ts'
import type { ProcessRef } from '../system/processes.ts'
import type { Ended } from '../system/spawn.ts'

export type Agent = { pid: number | undefined; ended: Promise<Ended>; kill: (signal: NodeJS.Signals) => void }

export type SupervisePorts = JoinPorts & {
  startAgent: () => Agent
  /** Calls back when this process is asked to end. */
  onStop: (callback: (signal: NodeJS.Signals) => void) => void
}

/** How long an agent that was asked to end may take before its session leaves all the same. */
const END_MS = 3000

/** Joins, runs the agent in this terminal, and leaves when it ends, however it ends. Gives how it ended. */
export async function supervise(request: Omit<JoinRequest, 'agent' | 'watch'>, ports: SupervisePorts): Promise<Ended> {
  const { bus } = ports
  // Registered under this process until the agent has one: a name that is taken must not start an agent.
  const self = bus.processes.self()
  const { session } = await join(
    { ...request, agent: self, watch: request.pane !== undefined && needsWatcher(request) },
    ports,
  )
  const refs = [self]
  // Where it was made to leave, it may have been registered again for the same agent.
  const isOurs = (now: Session) =>
    now.joined_at === session.joined_at || refs.some((ref) => sameProcess(ref, now.agent))
  try {
    const agent = ports.startAgent()
    const stopped = new Promise<Ended>((resolve) => {
      ports.onStop((signal) => {
        // Ctrl-C reaches the agent by itself; what it means is the agent's affair.
        if (signal === 'SIGINT') return
        agent.kill(signal)
        setTimeout(() => resolve({ code: 1, signal }), END_MS).unref()
      })
    })
    const info = agent.pid === undefined ? undefined : bus.processes.find(agent.pid)
    if (info) {
      refs.push({ pid: info.pid, started: info.started })
      await noteAgent(request.name, info, bus, ports.warn, isOurs)
    }
    const ended = await Promise.race([agent.ended, stopped])
    record(bus, 'ended', { name: request.name, code: ended.code, signal: ended.signal })
    return ended
  } finally {
    await leave(request.name, ports, isOurs)
  }
}

async function noteAgent(
  name: string,
  { pid, started }: ProcessRef,
  bus: Bus,
  warn: (text: string) => void,
  isOurs: (now: Session) => boolean,
): Promise<void> {
  await updateSessions(
    bus,
    (sessions) => {
      const session = findSession(sessions, name)
      return session && isOurs(session) ? { ...sessions, [name]: { ...session, agent: { pid, started } } } : undefined
    },
    (path) => warn(`sessions.json could not be read; it is kept as ${path}`),
  )
}
