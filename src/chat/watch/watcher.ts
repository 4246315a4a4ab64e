import { existsSync } from 'node:fs'
import { agentOf } from '../../agents/agents.ts'
import type { Bus } from '../../bus/bus.ts'
import { findSession, readSessions, type Session } from '../../bus/names/registry.ts'
import { tmuxDoorbell } from '../../doorbell/bells.ts'
import { hostDoorbell, inputDoorbell } from '../../doorbell/host.ts'
import { PANE_GONE } from '../../doorbell/pane.ts'
import { queueDoorbell } from '../../doorbell/queue.ts'
import type { Doorbell } from '../../doorbell/ringer.ts'
import { AGENT_ENDED, type Ended } from '../../doorbell/watch.ts'
import { leave } from '../../session/leave.ts'
import { isAlive } from '../../session/roster.ts'
import { logLine } from '../../system/log.ts'
import { openRpcSocket } from '../../system/rpcSocket.ts'
import { terminalOf } from '../../system/terminals.ts'
import type { Ports } from '../ports.ts'

export type WatchPorts = Pick<Ports, 'bus' | 'tmux' | 'env' | 'onStop'>

/** What wakes this session: its agent's own queue, or lines typed into its pane. */
export function doorbellOf(session: Session, ports: WatchPorts): Doorbell {
  const agent = agentOf(session.program)
  if (agent?.wake === 'input' && session.doorbell === 'auto')
    return inputDoorbell(ports.bus(), pause)
  if (agent?.wake === 'host' && session.doorbell === 'auto') return hostDoorbell()
  return agent?.queue && session.doorbell === 'auto'
    ? queueDoorbell(ports.bus(), { ...agent, queue: agent.queue }, { open: openRpcSocket, pause })
    : paneDoorbell(session, ports)
}

/** Types into the session's pane, which must show its own prompt or `AGENT_CHAT_PROMPT`. */
function paneDoorbell(session: Session, { bus, tmux, env }: WatchPorts): Doorbell {
  const { processes } = bus()
  return tmuxDoorbell(bus(), { tmux, processes, pause }, env.AGENT_CHAT_PROMPT || session.prompt)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Loads now what a watcher needs later: an update may replace this program's files meanwhile. */
export async function loadRest(): Promise<void> {
  await Promise.all([import('../../system/tmux.ts'), import('../../system/lock.ts')])
}

export type Log = (name: string, text: string) => void

/** Logs of a watcher. A home that was removed does not come back as a directory of logs. */
export function logTo({ home }: Bus): Log {
  return (name, text) => {
    if (existsSync(home.root)) logLine(home.watcherLog(name), text)
  }
}

/** Notes the end of a watch. A session whose pane or agent is gone leaves. */
export async function onEnded({ name, reason }: Ended, log: Log, ports: WatchPorts): Promise<void> {
  log(name, `ends: ${reason}`)
  if (reason === AGENT_ENDED || reason === PANE_GONE) await leaveGone(name, ports)
}

/** Takes a session out of the registry as its launcher does. The launcher may have been killed with
 * the agent, or the agent stays without a terminal. */
async function leaveGone(name: string, ports: WatchPorts): Promise<void> {
  const bus = ports.bus()
  const session = findSession(readSessions(bus.home), name)
  if (!session) return
  const { agent, joined_at } = session
  const life = await isAlive(session, { processes: bus.processes, tmux: ports.tmux })
  if (life === 'gone' || (agent !== null && terminalOf(agent.pid) === undefined))
    await leave(name, { bus }, (now) => now.joined_at === joined_at)
}
