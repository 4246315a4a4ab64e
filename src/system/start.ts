import { execa } from 'execa'
import { codeOf, type Ended } from './signals.ts'

/**
 * A program in this terminal. `pid` is undefined where it could not start; `ended` rejects then.
 */
export type Started = {
  pid: number | undefined
  ended: Promise<Ended>
  kill: (signal: NodeJS.Signals) => void
}

/**
 * Starts a program in this terminal: an agent, an editor, what installs a program. With `talking`,
 * what it prints goes to standard error.
 */
export function startHere(
  argv: [string, ...string[]],
  options: { env: NodeJS.ProcessEnv; cwd?: string; talking?: true },
): Started {
  const [program, ...args] = argv
  const { env, cwd, talking } = options
  const child = execa(program, args, {
    stdio: talking ? ['inherit', 2, 2] : 'inherit',
    env,
    extendEnv: false,
    reject: false,
    // It ends when this process has seen to that, not by itself.
    cleanup: false,
    ...(cwd === undefined ? {} : { cwd }),
  })
  return {
    pid: child.pid,
    ended: child.then(({ exitCode, signal = null, cause }) => {
      if (exitCode !== undefined) return { code: exitCode, signal }
      if (signal === null) throw cause
      return { code: codeOf(signal), signal }
    }),
    kill: (signal) => child.kill(signal),
  }
}
