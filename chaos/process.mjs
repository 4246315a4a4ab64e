import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { RUNTIME } from '../scripts/runtime.mjs'

/** A command that runs longer than this is stuck. The longest that a command may wait by itself are the 15 s for the registry's lock. In milliseconds. */
const LIMIT_MS = 25_000

/**
 * How a command ended. `killed`: by the case, on purpose. `late`: it ran over its limit. `ms` is its wall time.
 * @typedef {{ args: string[], code: number | null, signal: NodeJS.Signals | null, stdout: string, stderr: string, killed: boolean, late: boolean, ms: number }} Run
 *
 * What a command is run with. `wrap` stands before node (`prlimit`, `unshare`); `killAfterMs` ends it with SIGKILL so long after its start; `readOnly` closes
 * its output after so many bytes were read from it.
 * @typedef {{ env?: NodeJS.ProcessEnv, input?: string, wrap?: string[], uid?: number | undefined, killAfterMs?: number, limitMs?: number, readOnly?: number, stdout?: number | 'ignore' }} How
 */

/**
 * Starts node with these arguments, and gives the process and how it ends.
 * @param {string[]} argv what node is given, the first of it a script
 * @param {How} how
 */
export function start(argv, how) {
  const [program = '', ...before] = [...(how.wrap ?? []), RUNTIME]
  const began = performance.now()
  const child = spawn(program, [...before, ...argv], {
    cwd: '/',
    env: how.env,
    stdio: ['pipe', how.stdout ?? 'pipe', 'pipe'],
    ...(how.uid === undefined ? {} : { uid: how.uid, gid: how.uid }),
  })
  const state = { killed: false, late: false, stdout: '', stderr: '' }
  const kill = () => {
    state.killed = true
    child.kill('SIGKILL')
  }
  const limit = setTimeout(() => {
    state.late = true
    child.kill('SIGKILL')
  }, how.limitMs ?? LIMIT_MS)
  const timer = how.killAfterMs === undefined ? undefined : setTimeout(kill, how.killAfterMs)
  // A program may end before it has read its input.
  child.stdin?.on('error', () => {})
  child.stdin?.end(how.input ?? '')
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    state.stdout += text
    if (how.readOnly !== undefined && state.stdout.length >= how.readOnly) child.stdout?.destroy()
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    state.stderr += text
  })
  /** @type {Promise<Run>} */
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(limit)
      clearTimeout(timer)
      resolve({ args: argv.slice(1), code, signal, ...state, ms: performance.now() - began })
    })
  })
  return { child, ended, kill, said: () => state }
}

/**
 * Looks until `condition` gives something, and gives that; undefined where it has not after so many milliseconds.
 * @template T
 * @param {() => T | undefined | false} condition
 * @param {number} limitMs
 * @returns {Promise<T | undefined>}
 */
export async function until(condition, limitMs = LIMIT_MS) {
  for (const deadline = performance.now() + limitMs; performance.now() < deadline; await pause(5)) {
    const value = condition()
    if (value !== undefined && value !== false) return value
  }
  return undefined
}

/**
 * Whether a process is stopped by a signal.
 * @param {number | undefined} pid
 */
export function isStopped(pid) {
  try {
    return /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], {
      encoding: 'utf8',
    }).stdout.startsWith('T')
  }
}

/**
 * Lets a process go on that stopped itself at a step, each time that it comes to it, until it has ended.
 * @param {import('node:child_process').ChildProcess} child
 */
export async function letGoOn(child) {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  while (!hasEnded()) {
    if (isStopped(child.pid)) child.kill('SIGCONT')
    await until(() => hasEnded() || isStopped(child.pid), 1000)
  }
}

/**
 * Whether a program runs here, and says that it does.
 * @param {string} program
 * @param {string[]} args
 */
export function works(program, ...args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
