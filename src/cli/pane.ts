import { CodedError } from '../errors.ts'
import { paneOf } from '../session/identity.ts'
import type { PaneAddress } from '../system/tmux.ts'
import type { Ports } from './ports.ts'

/** The pane that a tmux target names, on this terminal's tmux server. Throws `USAGE` where there is none. */
export async function resolvePane(target: string, ports: Pick<Ports, 'env' | 'tmux'>): Promise<PaneAddress> {
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
