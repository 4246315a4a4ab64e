import type { Bus } from '../bus/bus.ts'
import { findSession, readSessions, type Session } from '../bus/names/registry.ts'
import { isShell } from '../session/agent.ts'
import { isAlive } from '../session/roster.ts'
import type { Processes, ProcessRef } from '../system/processes.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'
import { isUnderWay, type LaunchedPane, panesIn, START_MS } from './tmuxSession.ts'

/**
 * What the tmux session that has the launcher's name for a session is to this home: the session at
 * work in it; a launcher of this home that has not joined yet, or is about to end, or whose agent
 * works on while nobody is registered for it; or somebody else's, of whom may be known the session
 * or the home.
 */
export type Standing =
  | { is: 'at work'; pane: PaneAddress }
  | { is: 'starting' }
  | { is: 'left'; pane: LaunchedPane; agent: ProcessRef }
  | { is: 'foreign'; holder: string | undefined; home: string | undefined }

/**
 * How the launcher's tmux session of a name stands to this home now; undefined where there is none.
 * Its name alone says nothing: every home has the same.
 */
export async function standingOf(
  name: string,
  { bus, tmux }: { bus: Bus; tmux: Tmux },
): Promise<Standing | undefined> {
  const panes = await panesIn(tmux, name)
  if (panes.length === 0) return undefined
  const launched = panes.find(({ home }) => home === bus.home.root)
  // Before the registry is read: a launcher joins first, so one that has its agent and is not
  // registered has left.
  const agent = launched && agentBelow(bus.processes, launched.pid)
  const sessions = readSessions(bus.home)
  const ports = { processes: bus.processes, tmux }
  const placeOf = async (session: Session | undefined) => {
    const pane = session && paneOf(session, panes)
    return pane && (await isAlive(session, ports)) === 'alive' ? pane : undefined
  }
  const pane = await placeOf(findSession(sessions, name))
  if (pane) return { is: 'at work', pane }
  for (const other of Object.values(sessions))
    if (await placeOf(other)) return { is: 'foreign', holder: other.name, home: undefined }
  if (!launched)
    return {
      is: 'foreign',
      holder: undefined,
      home: panes.find(({ home }) => home !== undefined)?.home,
    }
  const busy = agent === undefined || isUnderWay(bus, name, START_MS)
  return busy ? { is: 'starting' } : { is: 'left', pane: launched, agent }
}

/**
 * What a launcher of an earlier version runs besides its agent, for a moment each, also before it
 * joins.
 */
const HELPERS = ['ps', 'tmux']

/**
 * The agent in a launcher's pane: what the shell below the pane's own waits for; with an earlier
 * version, what the launcher itself runs at the pane's terminal.
 */
export function agentBelow(processes: Processes, launcher: number): ProcessRef | undefined {
  const all = processes.all()
  const below = (pid: number) =>
    all.find(
      ({ parent, foreground, command }) =>
        parent === pid && foreground !== -1 && !HELPERS.includes(command),
    )
  const inShell = isShell(processes.find(launcher)?.command ?? '')
  const waiting = inShell ? below(launcher) : undefined
  const found = inShell ? waiting && below(waiting.pid) : below(launcher)
  return found && { pid: found.pid, started: found.started }
}

function paneOf(session: Session, panes: LaunchedPane[]): PaneAddress | undefined {
  return panes.find(({ pane, socket }) => session.pane === pane && session.tmux_socket === socket)
}
