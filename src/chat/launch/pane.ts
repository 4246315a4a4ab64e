import { becomePlan } from '../../launcher/paneShell.ts'
import { paneEnv } from '../../launcher/plan.ts'
import { leaveEnded } from '../../launcher/supervise.ts'
import {
  dropHandover,
  type Handover,
  noteAgent,
  notForUsers,
  readHandover,
  requireHandover,
} from '../../launcher/tmuxSession.ts'
import { paneOf } from '../../session/identity.ts'
import { join } from '../../session/join.ts'
import { ownPane } from '../../session/pane.ts'
import { endOf } from '../../system/signals.ts'
import { joinPorts } from '../join.ts'
import type { Ports } from '../ports.ts'
import { planned } from './here.ts'
import { noteStart } from './record.ts'

type PanePorts = Ports & { withEnv: (env: NodeJS.ProcessEnv) => Ports }

/**
 * Begins a session in a pane of the launcher's: registers the process `pid`, a shell that is about
 * to become the agent, and gives what that shell needs to be told.
 */
export function beginInPane(
  name: string,
  path: string,
  pid: number,
  ports: PanePorts,
): Promise<string> {
  return withHandover(path, () => becomeAgent(name, readHandover(path), pid, ports))
}

/** Ends a session in a pane of the launcher's, whose agent has ended with this exit code. */
export function endInPane(name: string, path: string, code: number, ports: Ports): Promise<void> {
  return withHandover(path, async () => {
    const pane = paneOf(ports.env)
    if (!pane) return
    const screen = await ports.tmux.run(['capture-pane', '-p', '-J', '-t', pane.pane], pane.socket)
    const shown = screen.code === 0 ? screen.stdout : undefined
    await leaveEnded(name, { ...endOf(code), pane, screen: shown }, ports.bus())
  })
}

async function withHandover<T>(path: string, act: () => Promise<T>): Promise<T> {
  requireHandover(path)
  try {
    return await act()
  } finally {
    dropHandover(path)
  }
}

/**
 * A pane has the environment of its tmux server, which may be older, and of another home, than the
 * caller's.
 */
async function becomeAgent(
  name: string,
  handover: Handover,
  pid: number,
  ports: PanePorts,
): Promise<string> {
  const env = paneEnv(handover.env, ports.env)
  const own = ports.withEnv(env)
  const pane = paneOf(ports.env)
  const { tmux } = ports
  const { processes } = own.bus()
  const [plan, held] = await Promise.all([
    planned(name, { ...handover, env }, own, pane),
    ownPane({ env: ports.env, tmux, processes, warn: () => {} }),
  ])
  const info = processes.find(pid)
  if (info === undefined) throw notForUsers(undefined)
  const agent = { pid, started: info.started }
  const { session } = await join(
    { ...plan.request, paneProcess: held?.first, agent },
    joinPorts(own),
  )
  noteStart(name, { ...plan.start, agent, started: session.joined_at }, own)
  if (pane) await noteAgent(own.tmux, pane, plan.request)
  return becomePlan(plan.argv, plan.env, ports.env)
}
