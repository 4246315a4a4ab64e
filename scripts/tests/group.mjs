import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'

/** How a program ended: its exit code, or the signal; `late` where its time was up; what it printed. @typedef {{ status: number | null, signal: string | null, late: boolean, output: string }} Outcome */

/** After a signal to end, a group has so long before it is killed. In milliseconds. */
const GRACE_MS = 5000
/** Of what a program prints, the end is kept. In characters. */
const KEPT = 400_000

/** The groups that run now. @type {Set<number>} */
const groups = new Set()

/**
 * Runs Node with these arguments in a process group of its own, which is ended with it, or once its
 * time is up.
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, limitMs: number }} options
 * @returns {Promise<Outcome>}
 */
export function runGroup(args, { env = {}, limitMs }) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...cleanEnv(), ...env },
    detached: true,
  })
  const { pid = 0 } = child
  groups.add(pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-KEPT)
    })
  let late = false
  const timer = setTimeout(() => {
    late = true
    signal(pid, 'SIGTERM')
    setTimeout(() => signal(pid, 'SIGKILL'), GRACE_MS).unref()
  }, limitMs)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (status, ended) => {
      clearTimeout(timer)
      // What it left running would hold its streams open, and disturb the next.
      signal(pid, 'SIGKILL')
      groups.delete(pid)
      child.once('close', () => resolve({ status, signal: ended, late, output }))
    })
  })
}

/** Ends all groups that run now. */
export function endGroups() {
  for (const pid of groups) signal(pid, 'SIGKILL')
}

/** @param {number} pid @param {NodeJS.Signals} name */
function signal(pid, name) {
  try {
    process.kill(-pid, name)
  } catch {
    // It has ended.
  }
}

/** The path of a socket has 107 bytes at the most, of which tests need most. In characters. */
const LONGEST_TMPDIR = 24

/** A session that runs these tests must not name itself to what is tested. */
function cleanEnv() {
  const drop = /^(AGENT_CHAT_|CLAUDE|TMUX|AI_AGENT$|NODE_EXTRA_CA_CERTS$)/
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !drop.test(key)))
  return tmpdir().length > LONGEST_TMPDIR ? { ...env, TMPDIR: '/tmp' } : env
}
