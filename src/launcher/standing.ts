import type { Bus } from '../bus/bus.ts'
import { findSession, readSessions, type Session } from '../bus/registry.ts'
import { isAlive } from '../session/roster.ts'
import type { Processes, ProcessRef } from '../system/processes.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'
import { type LaunchedPane, panesIn } from './tmuxSession.ts'

/**
 * What the tmux session that has the launcher's name for a session is to this home: the session at work in it; a launcher of this home that has not joined
 * yet, or whose agent works on while nobody is registered for it; or somebody else's, of whom may be known the session or the home.
 */
export type Standing =
  | { is: 'at work'; pane: PaneAddress }
  | { is: 'starting' }
  | { is: 'left'; pane: PaneAddress; agent: ProcessRef }
  | { is: 'foreign'; holder: string | undefined; home: string | undefined }

/** How the launcher's tmux session of a name stands to this home now; undefined where there is none. Its name alone says nothing: every home has the same. */
export async function standingOf(name: string, { bus, tmux }: { bus: Bus; tmux: Tmux }): Promise<Standing | undefined> {
  const panes = await panesIn(tmux, name)
  if (panes.length === 0) return undefined
  const launched = panes.find(({ home }) => home === bus.home.root)
  // Before the registry is read: a launcher joins first, so one that has its agent and is not registered has left.
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
  if (!launched) return { is: 'foreign', holder: undefined, home: panes.find(({ home }) => home !== undefined)?.home }
  return agent ? { is: 'left', pane: launched, agent } : { is: 'starting' }
}

/** What a launcher runs besides its agent, for a moment each, also before it joins. */
const HELPERS = ['ps', 'tmux']

/** The agent that a launcher runs: of its children the one at the pane's terminal, which the watcher has not. */
function agentBelow(processes: Processes, launcher: number): ProcessRef | undefined {
  const found = processes
    .all()
    .find(({ parent, foreground, command }) => parent === launcher && foreground !== -1 && !HELPERS.includes(command))
  return found && { pid: found.pid, started: found.started }
}

function paneOf(session: Session, panes: LaunchedPane[]): PaneAddress | undefined {
  return panes.find(({ pane, socket }) => session.pane === pane && session.tmux_socket === socket)
}
