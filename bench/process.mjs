import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const AGENT = fileURLToPath(new URL('./agent.mjs', import.meta.url))

/**
 * Runs node with these arguments to its end and gives the wall time, in milliseconds, and what it printed. Throws where it fails: a
 * measurement of a failure would look fast.
 * @param {string[]} argv
 * @param {{ env: NodeJS.ProcessEnv, input?: string }} options
 */
export function runOnce(argv, { env, input = '' }) {
  const start = process.hrtime.bigint()
  const { status, stdout, stderr, error } = spawnSync(process.execPath, argv, {
    env,
    input,
    maxBuffer: 2 ** 28,
  })
  const ms = Number(process.hrtime.bigint() - start) / 1e6
  if (error) throw error
  if (status !== 0) throw new Error(`node ${argv.join(' ')} ended with ${status}: ${stderr}`)
  return { ms, stdout: stdout.toString() }
}

/**
 * The command of the tree at `root`, as Node runs it: an older tree has no other entry than `bin/agent-chat`.
 * @param {string} root
 */
export function entryOf(root) {
  const entry = join(root, 'bin', 'on-node')
  return existsSync(entry) ? entry : join(root, 'bin', 'agent-chat')
}

/**
 * The file that `bin/agent-chat` gives to Node for a hook. An older tree has no `hook.cjs`.
 * @param {string} root
 */
export function hookOf(root) {
  const hook = join(root, 'dist', 'hook.cjs')
  return existsSync(hook) ? hook : join(root, 'dist', 'hook.js')
}

/**
 * Runs any program to its end; the wall time in milliseconds and what it printed. Throws where it fails.
 * @param {string[]} argv
 * @param {NodeJS.ProcessEnv} env
 */
export function runProgram([command = '', ...args], env) {
  const start = process.hrtime.bigint()
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' })
  const ms = Number(process.hrtime.bigint() - start) / 1e6
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`)
  return { ms, stdout }
}

/**
 * What children of the benchmark see: nothing of this shell but where programs are. `NODE_EXTRA_CA_CERTS`, `NODE_OPTIONS` and the
 * compile cache would each move every number.
 * @param {string} home the user's home to pretend
 * @returns {NodeJS.ProcessEnv}
 */
export function cleanEnv(home) {
  return { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', TERM: 'xterm-256color' }
}

/**
 * Starts a process that joins as an agent of this name and stays alive; gives it once it has joined.
 * @param {string} script
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 */
export async function startAgent(script, name, env) {
  const agent = spawn(process.execPath, [AGENT, script, name], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [said] = await Promise.race([once(agent.stdout, 'data'), once(agent, 'exit')])
  if (!String(said).startsWith(`joined as @${name}`))
    throw new Error(`@${name} could not join: ${said}`)
  return agent
}
