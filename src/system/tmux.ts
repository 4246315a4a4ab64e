import { execa } from 'execa'
import { CodedError } from '../errors.ts'
import { isErrno } from './errno.ts'

/** A pane: its id (`%3`) means something on one tmux server only, the one behind `socket`. */
export type PaneAddress = { socket: string; pane: string }

/** What tmux answered: its exit code, 0 for done, and what it printed. */
export type TmuxAnswer = { code: number; stdout: string; stderr: string }

/** tmux, as a port. Arguments go as they are, never through a shell. Throws `PROGRAM_MISSING` where there is no tmux. */
export type Tmux = {
  /** Runs one tmux command line; with `socket`, on that server, else on the one that tmux itself would take. */
  run(args: string[], socket?: string): Promise<TmuxAnswer>
  /** Runs tmux in this terminal, as for `attach`, and gives its exit code. */
  runHere(args: string[], socket?: string): Promise<number>
}

export function systemTmux(installHint: () => string): Tmux {
  const missing = (error: unknown): never => {
    if (!isErrno(error, 'ENOENT')) throw error
    throw new CodedError('PROGRAM_MISSING', 'tmux is not installed', { hint: installHint(), cause: error })
  }
  return {
    run: async (args, socket) => {
      const result = await execa('tmux', at(socket, args), { reject: false, stripFinalNewline: false, stdin: 'ignore' })
      if (result.exitCode === undefined) missing(result.cause ?? result)
      return { code: result.exitCode ?? 1, stdout: result.stdout, stderr: result.stderr.trim() }
    },
    runHere: async (args, socket) => {
      const result = await execa('tmux', at(socket, args), { reject: false, stdio: 'inherit' })
      if (result.exitCode === undefined) missing(result.cause ?? result)
      return result.exitCode ?? 1
    },
  }
}

function at(socket: string | undefined, args: string[]): string[] {
  return socket === undefined ? args : ['-S', socket, ...args]
}
