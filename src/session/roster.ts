import type { Session } from '../bus/registry.ts'
import type { Processes } from '../system/processes.ts'
import type { Tmux } from '../system/tmux.ts'

/** Whether a session's agent is there; `unknown` where it joined with neither a process nor a pane to look for. */
export type Alive = 'alive' | 'gone' | 'unknown'

/** Looks for a session's agent: by its process where that is known, else by its pane. */
export async function isAlive(session: Session, ports: { processes: Processes; tmux: Tmux }): Promise<Alive> {
  const known = aliveByProcess(session, ports.processes)
  if (known !== undefined) return known
  if (session.pane === null || session.tmux_socket === null) return 'unknown'
  return (await panesOn(ports.tmux, session.tmux_socket)).has(session.pane) ? 'alive' : 'gone'
}

/** The answer where the agent's process is known; it costs a look at the process and no more. */
export function aliveByProcess(session: Session, processes: Processes): Alive | undefined {
  if (session.agent === null) return undefined
  return processes.isAlive(session.agent) ? 'alive' : 'gone'
}

/** The panes of a tmux server; none where the server is gone. */
export async function panesOn(tmux: Tmux, socket: string): Promise<Set<string>> {
  const { code, stdout } = await tmux.run(['list-panes', '-a', '-F', '#{pane_id}'], socket)
  return new Set(code === 0 ? stdout.split('\n').filter((line) => line !== '') : [])
}
