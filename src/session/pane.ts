import { CodedError, isCoded } from '../errors.ts'
import type { Processes, ProcessRef } from '../system/processes.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'
import { ancestors } from './agent.ts'
import { paneOf } from './identity.ts'
import { panePid } from './roster.ts'

type PanePorts = {
  env: NodeJS.ProcessEnv
  tmux: Pick<Tmux, 'run'>
  processes: Pick<Processes, 'self' | 'find'>
  warn: (text: string) => void
}

/**
 * The pane that the environment names, and the process that it began with, where that is this one or
 * above it. A terminal that was started from a pane has inherited its variables: such a pane is told of,
 * and not used.
 */
export async function ownPane({
  env,
  tmux,
  processes,
  warn,
}: PanePorts): Promise<{ pane: PaneAddress; first: ProcessRef } | undefined> {
  const pane = paneOf(env)
  if (pane === undefined) return undefined
  const pid = await pidOf(pane, tmux)
  const self = processes.self()
  if (self.pid === pid) return { pane, first: self }
  for (const { pid: above, started } of ancestors(processes, self.pid))
    if (above === pid) return { pane, first: { pid: above, started } }
  warn(`TMUX_PANE=${pane.pane} is not used: that pane does not hold this process`)
  return undefined
}

/** Without tmux, a pane that is named is of no use. */
async function pidOf(pane: PaneAddress, tmux: Pick<Tmux, 'run'>): Promise<number | undefined> {
  try {
    return await panePid(tmux, pane)
  } catch (error) {
    if (isCoded(error, 'PROGRAM_MISSING')) return undefined
    throw error
  }
}

/** The pane that a target names on this terminal's tmux server. Throws `USAGE` for none. */
export async function resolvePane(
  target: string,
  ports: { env: NodeJS.ProcessEnv; tmux: Tmux },
): Promise<PaneAddress> {
  const usable = /^[%@$=A-Za-z0-9_][%@$=A-Za-z0-9_.:-]{0,127}$/.test(target)
  const { code, stdout } = usable
    ? await ports.tmux.run(
        ['display-message', '-p', '-t', target, '#{socket_path} #{pane_id}'],
        paneOf(ports.env)?.socket,
      )
    : { code: 1, stdout: '' }
  const match = /^(.+) (%\d+)\n?$/.exec(stdout)
  if (code === 0 && match?.[1] && match[2]) return { socket: match[1], pane: match[2] }
  throw new CodedError('USAGE', `tmux has no pane ${JSON.stringify(target.slice(0, 60))}`, {
    hint: "list the panes with: tmux list-panes -a -F '#{pane_id} #{pane_current_command}'",
  })
}
