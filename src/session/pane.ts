import { CodedError } from '../errors.ts'
import type { PaneAddress, Tmux } from '../system/tmux.ts'
import { paneOf } from './identity.ts'

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
