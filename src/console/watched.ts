import { paneOf } from '../session/identity.ts'
import type { Ports } from './ports.ts'

/**
 * Whether somebody sees this console: outside tmux always, in a pane while a client shows its
 * window. A tmux before 3.1 cannot tell.
 */
export async function isWatched({ env, tmux }: Pick<Ports, 'env' | 'tmux'>): Promise<boolean> {
  const here = paneOf(env)
  if (here === undefined) return true
  const { code, stdout } = await tmux.run(
    ['display-message', '-p', '-t', here.pane, '#{window_active_clients}'],
    here.socket,
  )
  return code === 0 && stdout.trim() !== '0'
}
