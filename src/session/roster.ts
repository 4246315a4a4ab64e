import type { Session } from '../bus/registry.ts'
import type { Processes, ProcessRef } from '../system/processes.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'

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

/**
 * Tells again and again whether a session's pane is there. tmux is only asked when the process that the pane began with, once seen, is
 * gone: a look at a process costs nothing. True for a session without a pane.
 */
export function paneLooker(ports: { processes: Processes; tmux: Tmux }): (session: Session) => Promise<boolean> {
  let first: ProcessRef | undefined
  return async ({ pane, tmux_socket: socket }) => {
    if (pane === null || socket === null) return true
    if (first && ports.processes.isAlive(first)) return true
    first = ports.processes.find(await panePid(ports.tmux, { socket, pane }))
    return first !== undefined
  }
}

/** The process that a pane began with; 0 where there is no such pane. `display-message` would take another pane for one that is gone. */
export async function panePid(tmux: Tmux, { socket, pane }: PaneAddress): Promise<number> {
  const { code, stdout } = await tmux.run(['list-panes', '-a', '-F', '#{pane_id} #{pane_pid}'], socket)
  const line = code === 0 ? stdout.split('\n').find((text) => text.startsWith(`${pane} `)) : undefined
  return Number(line?.slice(pane.length + 1) ?? 0)
}

/** The panes of a tmux server; none where the server is gone. */
export async function panesOn(tmux: Tmux, socket: string): Promise<Set<string>> {
  const { code, stdout } = await tmux.run(['list-panes', '-a', '-F', '#{pane_id}'], socket)
  return new Set(code === 0 ? stdout.split('\n').filter((line) => line !== '') : [])
}
