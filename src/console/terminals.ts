import { findSession, readSessions } from '../bus/names/registry.ts'
import { CodedError } from '../errors.ts'
import { visibleLine } from '../message/visible.ts'
import { paneOf } from '../session/identity.ts'
import type { Ports } from './ports.ts'

type TerminalPorts = Pick<Ports, 'bus' | 'env' | 'tmux'>

/**
 * Takes the human to the pane of a session, where they sit at the same tmux server. Elsewhere, or
 * with `look`, gives the lines of its screen. Throws `SESSION_UNKNOWN`, or `USAGE` for a
 * session without a pane.
 */
export async function openTerminal(
  name: string,
  look: boolean,
  { bus, env, tmux }: TerminalPorts,
): Promise<string[] | undefined> {
  const session = findSession(readSessions(bus().home), name)
  const { pane, tmux_socket: socket } = session ?? {}
  if (!pane || !socket) throw noPane(name, session !== undefined)
  if (!look && env.TMUX?.split(',')[0] === socket) {
    const back = await wayBack(pane, socket, { env, tmux })
    const { code } = await tmux.run(['switch-client', '-t', pane], socket)
    if (code === 0) {
      await tmux.run(['display-message', '-d', '5000', back], socket)
      return undefined
    }
  }
  const { code, stdout } = await tmux.run(['capture-pane', '-p', '-t', pane], socket)
  if (code !== 0) throw noPane(name, true)
  return stdout.trimEnd().split('\n').map(visibleLine)
}

/** The key of tmux that leads back to the console, from a pane beside it or farther away. */
async function wayBack(
  pane: string,
  socket: string,
  { env, tmux }: Pick<TerminalPorts, 'env' | 'tmux'>,
): Promise<string> {
  const own = env.TMUX_PANE ?? ''
  const [here, there] = await Promise.all(
    [own, pane].map(async (id) => {
      const format = '#{session_id} #{window_id}'
      return (await tmux.run(['display-message', '-p', '-t', id, format], socket)).stdout.split(' ')
    }),
  )
  const key = here?.[0] !== there?.[0] ? 'L' : here?.[1] !== there?.[1] ? 'l' : ';'
  return `back to the console: tmux's prefix, then ${key}`
}

/**
 * Into the buffers of tmux, which hands it on to its own terminal. Outside tmux there is nothing to
 * do.
 */
export async function copyInTmux(text: string, { env, tmux }: TerminalPorts): Promise<void> {
  const here = paneOf(env)
  if (here !== undefined) await tmux.run(['set-buffer', '-w', '--', text], here.socket)
}

function noPane(name: string, known: boolean): CodedError {
  if (!known)
    return new CodedError('SESSION_UNKNOWN', `no session named @${name}`, {
      hint: 'list the names with /who',
    })
  return new CodedError('USAGE', `@${name} has no tmux pane`, {
    hint: 'it runs in its own terminal',
  })
}
