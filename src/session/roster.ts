import type { Session } from '../bus/names/registry.ts'
import type { Processes, ProcessRef } from '../system/processes.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'

/**
 * Whether a session's agent is there; `unknown` where it joined with neither a process nor a pane
 * to look for, or its tmux server does not answer.
 */
export type Alive = 'alive' | 'gone' | 'unknown'

/** Looks for a session's agent: by its process where that is known, else by its pane. */
export async function isAlive(
  session: Session,
  ports: { processes: Processes; tmux: Pick<Tmux, 'run'> },
): Promise<Alive> {
  const known = aliveByProcess(session, ports.processes)
  if (known !== undefined) return known
  if (session.pane === null || session.tmux_socket === null) return 'unknown'
  return paneAmong(await panesOn(ports.tmux, session.tmux_socket), session.pane)
}

/** The answer where the agent's process is known; it costs a look at the process and no more. */
export function aliveByProcess(session: Session, processes: Processes): Alive | undefined {
  if (session.agent === null) return undefined
  return processes.isAlive(session.agent) ? 'alive' : 'gone'
}

/**
 * Tells again and again whether a session's pane is there. tmux is only asked when the process that
 * the pane began with, once seen, is gone: a look at a process costs nothing. True for a session
 * without a pane, and where the server does not answer.
 */
export function paneLooker(ports: {
  processes: Processes
  tmux: Pick<Tmux, 'run'>
}): (session: Session) => Promise<boolean> {
  let first: ProcessRef | undefined
  return async ({ pane, tmux_socket: socket }) => {
    if (pane === null || socket === null) return true
    if (first && ports.processes.isAlive(first)) return true
    const pid = await panePid(ports.tmux, { socket, pane })
    first = pid === undefined ? undefined : ports.processes.find(pid)
    return pid === undefined || first !== undefined
  }
}

/**
 * The process that a pane began with; 0 where there is no such pane, undefined where the server
 * does not answer. `display-message` would take another pane for one that is gone.
 */
export async function panePid(
  tmux: Pick<Tmux, 'run'>,
  { socket, pane }: PaneAddress,
): Promise<number | undefined> {
  const { code, stdout, late } = await tmux.run(
    ['list-panes', '-a', '-F', '#{pane_id} #{pane_pid}'],
    socket,
  )
  if (late) return undefined
  const line =
    code === 0 ? stdout.split('\n').find((text) => text.startsWith(`${pane} `)) : undefined
  return Number(line?.slice(pane.length + 1) ?? 0)
}

/**
 * The panes of a tmux server; none where the server is gone, undefined where it does not answer.
 */
export async function panesOn(
  tmux: Pick<Tmux, 'run'>,
  socket: string,
): Promise<Set<string> | undefined> {
  const { code, stdout, late } = await tmux.run(['list-panes', '-a', '-F', '#{pane_id}'], socket)
  if (late) return undefined
  return new Set(code === 0 ? stdout.split('\n').filter((line) => line !== '') : [])
}

/** What the panes of its tmux server tell of the agent that stands in one of them. */
export function paneAmong(panes: Set<string> | undefined, pane: string): Alive {
  if (panes === undefined) return 'unknown'
  return panes.has(pane) ? 'alive' : 'gone'
}
