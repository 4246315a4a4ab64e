/** Starts a process that outlives this one, with no terminal and no standard streams. Gives its pid. */
export function spawnDetached(argv: [string, ...string[]], env: NodeJS.ProcessEnv, cwd: string): number | undefined {
  const [program, ...args] = argv
  const child = childProcess().spawn(program, args, { detached: true, stdio: 'ignore', env, cwd })
  // A failed start shows as no pid; without a listener it would also end this process.
  child.on('error', () => {})
  child.unref()
  return child.pid
}

/** How a process ended: its exit code, which for a signal is 128 and its number, as shells have it. */
export type Ended = { code: number; signal: NodeJS.Signals | null }

/** Starts a program in this terminal. `pid` is undefined where it could not start; `ended` rejects then. */
export function spawnHere(
  argv: [string, ...string[]],
  env: NodeJS.ProcessEnv,
  cwd: string,
): { pid: number | undefined; ended: Promise<Ended>; kill: (signal: NodeJS.Signals) => void } {
  const [program, ...args] = argv
  const child = childProcess().spawn(program, args, { stdio: 'inherit', env, cwd })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code: code ?? codeOf(signal), signal }))
  })
  return { pid: child.pid, ended, kill: (signal) => child.kill(signal) }
}

function codeOf(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : process.getBuiltinModule('node:os').constants.signals[signal])
}

/** Loaded only to start something: a command that could, and does not, starts a tenth faster. */
function childProcess() {
  return process.getBuiltinModule('node:child_process')
}
