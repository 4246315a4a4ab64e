import type { Bus } from '../bus/bus.ts'
import { record } from '../bus/history.ts'
import { findSession, updateSessions } from '../bus/registry.ts'
import { needsWatcher } from '../session/doorbellChoice.ts'
import { type JoinPorts, type JoinRequest, join, leave } from '../session/join.ts'
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
  const isOurs = (now: { joined_at: string }) => now.joined_at === session.joined_at
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
    await noteAgent(request.name, agent.pid, bus, ports.warn, isOurs)
    const ended = await Promise.race([agent.ended, stopped])
    record(bus, 'ended', { name: request.name, code: ended.code, signal: ended.signal })
    return ended
  } finally {
    await leave(request.name, ports, isOurs)
  }
}

async function noteAgent(
  name: string,
  pid: number | undefined,
  bus: Bus,
  warn: (text: string) => void,
  isOurs: (now: { joined_at: string }) => boolean,
): Promise<void> {
  const info = pid === undefined ? undefined : bus.processes.find(pid)
  if (!info) return
  await updateSessions(
    bus,
    (sessions) => {
      const session = findSession(sessions, name)
      return session && isOurs(session)
        ? { ...sessions, [name]: { ...session, agent: { pid: info.pid, started: info.started } } }
        : undefined
    },
    (path) => warn(`sessions.json could not be read; it is kept as ${path}`),
  )
}
