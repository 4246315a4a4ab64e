/** Starts a process that outlives this one, without terminal and streams. Gives its pid. */
export function spawnDetached(
  argv: [string, ...string[]],
  env: NodeJS.ProcessEnv,
  cwd: string,
): number | undefined {
  const [program, ...args] = argv
  const child = childProcess().spawn(program, args, { detached: true, stdio: 'ignore', env, cwd })
  // A failed start shows as no pid; without a listener it would also end this process.
  child.on('error', () => {})
  child.unref()
  return child.pid
}

/** Loaded only to start something: a command that could, and does not, starts a tenth faster. */
function childProcess() {
  return process.getBuiltinModule('node:child_process')
}

/** Starts this program again, detached, on the same home. Gives its pid. */
export function spawnSelf(
  words: string[],
  ports: {
    self: { node: string; script: string }
    env: NodeJS.ProcessEnv
    bus: () => { home: { root: string } }
  },
): number | undefined {
  // A step at which a test ends this process is not meant for the other, and what a worker's tool
  // starts here for the whole home does not end with the worker.
  const { AGENT_CHAT_FAULT: _, AGENT_CHAT_WORKER: __, ...callers } = ports.env
  const { root } = ports.bus().home
  const { node, script } = ports.self
  return spawnDetached([node, script, ...words], { ...callers, AGENT_CHAT_HOME: root }, root)
}
