import { fileURLToPath } from 'node:url'

/** The compiled program, of `npm run build:native`. */
export const NATIVE = fileURLToPath(new URL('../native/agent-chat', import.meta.url))

/** Whether tests run the compiled program. */
export const IS_NATIVE = process.env.AGENT_CHAT_RUNTIME === 'native'

/** What runs `dist/` in tests: Node, or the compiled program with `AGENT_CHAT_RUNTIME=native`. It takes the same arguments. */
export const RUNTIME = IS_NATIVE ? NATIVE : process.execPath

/**
 * Variables with which that loads one more file before the program, after those of `env`: a CommonJS
 * script, or a module (`.mjs`), which the program waits for.
 * @param {string} script
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ [name: string]: string }}
 */
export function preloading(script, env = {}) {
  const [key, option] = IS_NATIVE
    ? ['BUN_OPTIONS', '--preload']
    : ['NODE_OPTIONS', script.endsWith('.mjs') ? '--import' : '--require']
  return { [key]: `${env[key] ?? ''} ${option}=${script}`.trim() }
}
