import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Pane, tmuxPane } from './pane.ts'

const run = promisify(execFile)

// What a person's terminal offers: colours, and no wait after Escape.
const CONFIG =
  'set -g default-terminal tmux-256color\nset -s escape-time 0\nset -g exit-empty off\n'

interface NewSession {
  /**
   * The program and its arguments, started without a shell; or `cmd`, a line for `sh`. Neither: a
   * bare bash.
   */
  argv?: readonly string[]
  cmd?: string
  env?: Readonly<Record<string, string>>
  cwd?: string
  width?: number
  height?: number
  name?: string
}

export interface TmuxServer {
  readonly socket: string
  /** What makes a plain `tmux` command of a program under test find this server. */
  readonly env: Readonly<Record<string, string>>
  tmux(...args: string[]): Promise<string>
  newSession(options?: NewSession): Promise<Pane>
  /** A pane that something else opened on this server, by its id (`%0`). */
  pane(id: string): Pane
  kill(): Promise<void>
}

/**
 * A tmux server of the test's own, in a directory of its own: it shares nothing with the user's.
 * Needs tmux.
 */
export async function tmuxServer(): Promise<TmuxServer> {
  const dir = await mkdtemp(join(tmpdir(), 'ac-tmux-'))
  const sockets = join(dir, `tmux-${process.getuid?.() ?? 0}`)
  await mkdir(sockets, { mode: 0o700 })
  await writeFile(join(dir, 'tmux.conf'), CONFIG)
  const socket = join(sockets, 'default')
  // The server hands its own environment to every pane: it must hold nothing of the session that
  // runs the tests.
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: dir,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    SHELL: '/bin/bash',
  }
  const tmux = async (...args: string[]) => {
    const { stdout } = await run('tmux', ['-S', socket, '-f', join(dir, 'tmux.conf'), ...args], {
      env,
      cwd: dir,
    })
    return stdout
  }
  return {
    socket,
    env: { TMUX_TMPDIR: dir },
    tmux,
    newSession: async (options = {}) =>
      tmuxPane(tmux, (await tmux(...sessionArgs(options))).trim()),
    pane: (id) => tmuxPane(tmux, id),
    kill: async () => {
      await tmux('kill-server').catch(() => undefined)
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function sessionArgs({
  argv,
  cmd,
  env = {},
  cwd,
  width = 130,
  height = 40,
  name,
}: NewSession): string[] {
  const args = [
    'new-session',
    '-d',
    '-P',
    '-F',
    '#{pane_id}',
    '-x',
    String(width),
    '-y',
    String(height),
  ]
  if (name !== undefined) args.push('-s', name)
  if (cwd !== undefined) args.push('-c', cwd)
  for (const [key, value] of Object.entries(env)) args.push('-e', `${key}=${value}`)
  return [...args, '--', ...(argv ?? (cmd === undefined ? ['bash', '--norc'] : ['sh', '-c', cmd]))]
}
