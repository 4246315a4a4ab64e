import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** The room is drawn in a hundredth of this. In milliseconds. */
const START_MS = 20_000

/** The title of the inbox, which is on the screen once it is open. */
const OPEN = /── .* unread /

/**
 * Opens the console of a home in a pane of a tmux server of its own; gives its process, and what ends the server. Undefined where there is no tmux.
 * @param {{ directory: string, script: string, env: NodeJS.ProcessEnv }} seat
 * @returns {Promise<{ pid: number, close: () => void } | undefined>}
 */
export async function openConsole({ directory, script, env }) {
  if (spawnSync('tmux', ['-V']).error) return undefined
  const socket = join(directory, 'console.sock')
  const tmux = (/** @type {string[]} */ ...args) =>
    execFileSync('tmux', ['-S', socket, ...args], { env, encoding: 'utf8' })
  // The server may have ended already, where the console failed.
  const close = () => void spawnSync('tmux', ['-S', socket, 'kill-server'], { env })
  // In the place of the shell: the pane's process is the console.
  const command = `exec '${process.execPath}' '${script}' console`
  tmux('-f', '/dev/null', 'new-session', '-d', '-x', '100', '-y', '30', command)
  try {
    const deadline = performance.now() + START_MS
    while (!OPEN.test(tmux('capture-pane', '-p'))) {
      if (performance.now() > deadline) throw new Error('the console did not open')
      await pause(50)
    }
    return { pid: Number(tmux('list-panes', '-F', '#{pane_pid}')), close }
  } catch (error) {
    close()
    throw error
  }
}
