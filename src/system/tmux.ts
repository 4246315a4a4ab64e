import type { Readable } from 'node:stream'
import { execa } from 'execa'
import { CodedError } from '../errors.ts'
import { isErrno } from './errno.ts'

/** A pane: its id (`%3`) means something on one tmux server only, the one behind `socket`. */
export type PaneAddress = { socket: string; pane: string }

/** What tmux answered: its exit code, 0 for done, and what it printed. */
export type TmuxAnswer = { code: number; stdout: string; stderr: string }

/** tmux, as a port. Arguments go as they are, never through a shell. Throws `PROGRAM_MISSING` where there is no tmux. */
export type Tmux = {
  /**
   * Runs one tmux command line; with `socket`, on that server, else on the one that tmux itself would take. With `limitMs`, what a server has not
   * answered after so many milliseconds has failed.
   */
  run(args: string[], socket?: string, limitMs?: number): Promise<TmuxAnswer>
  /** Runs tmux in this terminal, as for `attach`, and gives its exit code. */
  runHere(args: string[], socket?: string): Promise<number>
}

export function systemTmux(installHint: () => string): Tmux {
  const missing = (error: unknown): never => {
    if (!isErrno(error, 'ENOENT')) throw error
    throw new CodedError('PROGRAM_MISSING', 'tmux is not installed', { hint: installHint(), cause: error })
  }
  return {
    run: async (args, socket, limitMs) => {
      const child = execa('tmux', at(socket, args), { reject: false, stripFinalNewline: false, stdin: 'ignore' })
      const inTime = limit(child, limitMs)
      const result = await child
      if (!inTime()) return { code: 1, stdout: '', stderr: `no answer in ${limitMs} ms` }
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

type Child = { kill(signal: NodeJS.Signals): boolean; stdout: Readable; stderr: Readable }

/**
 * Ends a client that takes longer than that; the function that it gives says whether it has not. A client hands its output over to the server, so
 * a server that hangs keeps the pipes open when the client is gone: they are closed here, and nobody waits for their end.
 */
function limit(child: Child, limitMs: number | undefined): () => boolean {
  let late = false
  const giveUp = () => {
    late = true
    child.kill('SIGKILL')
    child.stdout.destroy()
    child.stderr.destroy()
  }
  const timer = limitMs === undefined ? undefined : setTimeout(giveUp, limitMs)
  return () => {
    clearTimeout(timer)
    return !late
  }
}

function at(socket: string | undefined, args: string[]): string[] {
  return socket === undefined ? args : ['-S', socket, ...args]
}
