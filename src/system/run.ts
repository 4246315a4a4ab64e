import { spawn } from 'node:child_process'

/** What a program answered. `code` is undefined where it did not start, or was ended because it took too long. */
export type RunAnswer = { code: number | undefined; stdout: string }

/** Runs a program without a terminal and gives its standard output. Never through a shell. */
export function runQuietly(argv: [string, ...string[]], env: NodeJS.ProcessEnv, timeoutMs: number): Promise<RunAnswer> {
  const [program, ...args] = argv
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'], timeout: timeoutMs })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: undefined, stdout }))
    child.once('close', (code) => resolve({ code: code ?? undefined, stdout }))
  })
}

/**
 * Runs a program in this terminal, what it prints going to standard error, and gives its exit code; undefined where it did not start.
 */
export function runTalking(argv: [string, ...string[]], env: NodeJS.ProcessEnv): Promise<number | undefined> {
  const [program, ...args] = argv
  const child = spawn(program, args, { env, stdio: ['inherit', 2, 2] })
  return new Promise((resolve) => {
    child.once('error', () => resolve(undefined))
    child.once('close', (code) => resolve(code ?? undefined))
  })
}
