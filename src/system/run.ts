import { type ChildProcess, spawn } from 'node:child_process'

/**
 * What a program answered. `code` is undefined where it did not start, which `error` tells, or was
 * ended: by a signal, or, `late`, because it took too long. What it printed until then counts for
 * nothing.
 */
export type RunAnswer = {
  code: number | undefined
  stdout: string
  stderr: string
  late?: true
  error?: unknown
}

/**
 * Runs a program without a terminal and gives what it prints. Never through a shell; `env` is this
 * process's own where it is left out.
 */
export function runQuietly(
  argv: [string, ...string[]],
  env: NodeJS.ProcessEnv | undefined,
  limitMs: number,
): Promise<RunAnswer> {
  const [program, ...args] = argv
  const child: ChildProcess = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  // Node makes no pipes where no more files may be open; the event `error` says so.
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text
    })
  return new Promise((resolve) => {
    // Whoever has its output by then, as the server of a tmux client has, may keep it open for
    // good: nobody waits for that.
    const timer = setTimeout(() => {
      resolve({ code: undefined, stdout: '', stderr: '', late: true })
      child.kill('SIGKILL')
      child.stdout?.destroy()
      child.stderr?.destroy()
    }, limitMs)
    child.once('error', (error) => {
      clearTimeout(timer)
      resolve({ code: undefined, ...said, error })
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code: code ?? undefined, ...said })
    })
  })
}
