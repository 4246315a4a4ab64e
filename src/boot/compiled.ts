import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** The folder in which the roots of the compiled program believe to be: `dist/` of the plugin. */
declare global {
  var agentChatDist: string
}

/**
 * Runs a root of the compiled program as `node <script> …` would: its first argument is the script,
 * a file of `dist/` or the command itself, through whatever link. Without one, as a person types
 * it, the program is the command.
 */
export function runCompiled(roots: Record<string, () => unknown>): void {
  // `bin/agent-chat` sets it for this run alone, not for what the run starts.
  delete process.env.BUN_JSC_useJIT
  const [, , first = ''] = process.argv
  const named = first.includes('/')
  const root = rootOf(named ? first : process.execPath)
  const file = named && first.endsWith('.js') ? basename(first) : 'main.js'
  globalThis.agentChatDist = join(root, 'dist')
  process.argv.splice(1, named ? 2 : 1, join(globalThis.agentChatDist, file))
  const run = roots[file]
  if (run === undefined) throw new Error(`the program has no ${file}`)
  run()
}

/** The folder above the one that a script is in. A plugin may have been removed meanwhile. */
function rootOf(script: string): string {
  const path = resolve(script)
  try {
    return dirname(dirname(script.endsWith('.js') ? path : realpathSync(path)))
  } catch {
    return dirname(dirname(path))
  }
}
