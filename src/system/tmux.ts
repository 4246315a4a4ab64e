import { spawnSync } from 'node:child_process'
import { CodedError } from '../errors.ts'
import { isErrno } from './errno.ts'
import { runQuietly } from './run.ts'

/** A pane: its id (`%3`) means something on one tmux server only, the one behind `socket`. */
export type PaneAddress = { socket: string; pane: string }

/**
 * What tmux answered: its exit code, 0 for done, and what it printed; `late` where its server did
 * not answer in time.
 */
export type TmuxAnswer = { code: number; stdout: string; stderr: string; late?: true }

/** What a server gets to answer in: one that hangs must not keep whoever asks. In milliseconds. */
const LIMIT_MS = 5000

/** tmux, as a port, never through a shell. Throws `PROGRAM_MISSING` where there is no tmux. */
export type Tmux = {
  /**
   * Runs one tmux command line; with `socket`, on that server, else on the one that tmux itself
   * would take. What the server has not answered after `limitMs`, or 5 s, has failed.
   */
  run(args: string[], socket?: string, limitMs?: number): Promise<TmuxAnswer>
  /** Runs tmux in this terminal until it ends, as for `attach`, and gives its exit code. */
  runHere(args: string[], socket?: string): Promise<number>
}

export function systemTmux(installHint: () => string): Tmux {
  const missing = (error: unknown): never => {
    if (!isErrno(error, 'ENOENT')) throw error
    throw new CodedError('PROGRAM_MISSING', 'tmux is not installed', {
      hint: installHint(),
      cause: error,
    })
  }
  return {
    run: async (args, socket, limitMs = LIMIT_MS) => {
      // Whatever the locale of this process is: a screen is read as it is drawn.
      const argv: [string, ...string[]] = ['tmux', '-u', ...at(socket, args)]
      const { code = 1, stdout, stderr, late, error } = await runQuietly(argv, undefined, limitMs)
      if (error !== undefined) missing(error)
      if (late) return { code, stdout, stderr: `no answer in ${limitMs} ms`, late }
      return { code, stdout, stderr: stderr.trim() }
    },
    runHere: async (args, socket) => {
      const { status, error } = spawnSync('tmux', at(socket, args), { stdio: 'inherit' })
      if (error) missing(error)
      return status ?? 1
    },
  }
}

function at(socket: string | undefined, args: string[]): string[] {
  return socket === undefined ? args : ['-S', socket, ...args]
}
