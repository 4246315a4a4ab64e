import { existsSync } from 'node:fs'

/**
 * Variables that keep Node from starting once the files that they name are gone: an editor's
 * terminal sets them for its debugger.
 */
export const BREAK_NODE: readonly string[] = ['NODE_OPTIONS', 'NODE_ICU_DATA', 'OPENSSL_CONF']

/**
 * Starts a process that outlives this one, without terminal and streams, and without variables that
 * would keep Node from starting. Gives its pid.
 */
export function spawnDetached(
  argv: [string, ...string[]],
  env: NodeJS.ProcessEnv,
  cwd: string,
): number | undefined {
  const [program, ...args] = argv
  const kept = Object.entries(env).filter(
    ([key, value]) => !(BREAK_NODE.includes(key) && namesMissing(value ?? '')),
  )
  const options = { detached: true, stdio: 'ignore', env: Object.fromEntries(kept), cwd } as const
  const child = childProcess().spawn(program, args, options)
  // A failed start shows as no pid; without a listener it would also end this process.
  child.on('error', () => {})
  child.unref()
  return child.pid
}

/** Whether a value names a file that is not there. */
function namesMissing(value: string): boolean {
  const paths = [...value.matchAll(/(?:^|[\s="'])(\/[^\s"']+)/g)].map(([, path]) => path ?? '')
  return paths.some((path) => !existsSync(path))
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
