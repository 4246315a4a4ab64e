import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A watcher starts in a tenth of this. In milliseconds. */
const START_MS = 10_000

/**
 * Gives a session a pane, on a tmux server that is not there, and a watcher that waits for its messages; gives what ends the watcher. The registry is
 * for its caller to put back.
 * @param {import('./home.mjs').Home} home
 * @param {string} script
 * @param {string} name
 * @returns {() => void}
 */
export function startWatcher({ root, env }, script, name) {
  const path = join(root, 'sessions.json')
  const sessions = JSON.parse(readFileSync(path, 'utf8'))
  const pane = { pane: '%1', tmux_socket: join(root, 'no-server'), doorbell: 'tmux' }
  writeFileSync(path, JSON.stringify({ ...sessions, [name]: { ...sessions[name], ...pane } }), {
    mode: 0o600,
  })
  rmSync(logOf(root, name), { force: true })
  const watcher = spawn(process.execPath, [script, 'watch', name], { env, stdio: 'ignore' })
  untilWatching(root, name)
  return () => watcher.kill()
}

/**
 * Waits until the watcher of a session has begun to watch, as its log tells.
 * @param {string} root
 * @param {string} name
 */
export function untilWatching(root, name) {
  const log = logOf(root, name)
  const cell = new Int32Array(new SharedArrayBuffer(4))
  for (
    const deadline = performance.now() + START_MS;
    !(existsSync(log) && readFileSync(log, 'utf8').includes('watching'));
  ) {
    if (performance.now() > deadline) throw new Error(`the watcher of @${name} did not start`)
    Atomics.wait(cell, 0, 0, 5)
  }
}

/**
 * @param {string} root
 * @param {string} name
 */
function logOf(root, name) {
  return join(root, 'logs', `${name}.log`)
}
