import { isCoded } from '../../errors.ts'
import type { Tmux, TmuxAnswer } from '../../system/tmux.ts'

/** A terminal in which somebody looks at a tmux server. */
export type Client = { socket: string; tty: string }

/**
 * A server that hangs keeps the message's sender waiting for this long at the most, twice: to list
 * and to show. In milliseconds.
 */
const LIMIT_MS = 500

/**
 * How long a line stays. tmux's own 750 ms is too short to be read; meanwhile tmux holds that
 * client's screen still, so it must not be long either. A key ends it at once. In milliseconds.
 */
const SHOWN_MS = 4000

/**
 * Every terminal that is attached to one of these servers. A server that is gone or hangs has none.
 */
export async function attachedClients(tmux: Tmux, sockets: string[]): Promise<Client[]> {
  const args = ['list-clients', '-F', '#{client_control_mode} #{client_tty}']
  const lists = await Promise.all(
    sockets.map(async (socket) =>
      ttysIn((await ask(tmux, args, socket)).stdout).map((tty) => ({ socket, tty })),
    ),
  )
  return lists.flat()
}

/** The panes that somebody has before them: the active one of each client. */
export async function panesShown(
  tmux: Tmux,
  sockets: string[],
): Promise<{ socket: string; pane: string }[]> {
  const args = ['list-clients', '-F', '#{client_control_mode} #{pane_id}']
  const lists = await Promise.all(
    sockets.map(async (socket) => {
      const { stdout } = await ask(tmux, args, socket)
      const panes = [...stdout.matchAll(/^0 (%\d+)$/gm)].map(([, pane = '']) => pane)
      return panes.map((pane) => ({ socket, pane }))
    }),
  )
  return lists.flat()
}

/**
 * The terminals in a list of clients. Clients in control mode are programs: a byte in their
 * terminal would be a fault of the protocol.
 */
export function ttysIn(list: string): string[] {
  return list.split('\n').flatMap((line) => /^0 (\/dev\/[\w/.-]+)$/.exec(line)?.[1] ?? [])
}

/**
 * Shows a line in these clients, over whatever stands at the bottom. Gives whether any server took
 * it.
 */
export async function showInClients(tmux: Tmux, clients: Client[], text: string): Promise<boolean> {
  const sockets = [...new Set(clients.map(({ socket }) => socket))]
  const ttys = (socket: string) =>
    clients.filter((client) => client.socket === socket).map(({ tty }) => tty)
  const shown = await Promise.all(sockets.map((socket) => showOn(tmux, socket, ttys(socket), text)))
  return shown.includes(true)
}

async function showOn(tmux: Tmux, socket: string, ttys: string[], text: string): Promise<boolean> {
  const { code, stderr } = await ask(tmux, showArgs(ttys, text, ['-d', String(SHOWN_MS)]), socket)
  // `-d` came with tmux 3.2. An older one refuses the whole line before it shows any of it.
  if (code === 0 || !/usage|unknown/.test(stderr)) return code === 0
  return (await ask(tmux, showArgs(ttys, text), socket)).code === 0
}

function showArgs(ttys: string[], text: string, delay: string[] = []): string[] {
  return ttys.flatMap((tty, at) => [
    ...(at === 0 ? [] : [';']),
    ...['display-message', '-c', tty, ...delay, literal(text)],
  ])
}

/**
 * tmux expands what it shows, and `#(…)` would run a command: doubled, its signs are only signs.
 */
function literal(text: string): string {
  return text.replaceAll('#', '##').replaceAll('%', '%%')
}

async function ask(tmux: Tmux, args: string[], socket: string): Promise<TmuxAnswer> {
  try {
    return await tmux.run(args, socket, LIMIT_MS)
  } catch (error) {
    if (isCoded(error, 'PROGRAM_MISSING')) return { code: 1, stdout: '', stderr: '' }
    throw error
  }
}
