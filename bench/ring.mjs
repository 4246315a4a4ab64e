import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { runOnce, startAgent } from './process.mjs'
import { linkedAt, pauseAtRandom, sendOne, told } from './ringing.mjs'

const PANE = fileURLToPath(new URL('./pane.mjs', import.meta.url))

/**
 * The tmux doorbell, in milliseconds: `ring` from the message standing in the inbox to the first byte in the agent's terminal, with a real `send`, the
 * watcher as `join` starts it, and a real pane on a tmux server of its own; beside it `floor`, from the start of a `tmux send-keys` to its first byte there.
 * @param {{ directory: string, program: import('./group.mjs').Program, rounds: number }} plan
 * @returns {Promise<{ ring: number[], floor: number[] }>}
 */
export async function ringPane({ directory, program, rounds }) {
  const { script, env } = program
  const socket = join(directory, 'tmux.sock')
  const server = createServer()
  server.listen(join(directory, 'pane.sock'))
  const inTmux = (/** @type {string[]} */ ...args) =>
    execFileSync('tmux', ['-S', socket, ...args], { env, encoding: 'utf8' })
  const connected = once(server, 'connection')
  const command = `'${process.execPath}' '${PANE}' '${join(directory, 'pane.sock')}'`
  inTmux('-f', '/dev/null', 'new-session', '-d', '-x', '100', '-y', '30', command)
  try {
    const [connection] = await connected
    const pane = createInterface({ input: connection })[Symbol.asyncIterator]()
    await told(pane, 'ready')
    const id = inTmux('list-panes', '-a', '-F', '#{pane_id}').trim()
    const home = { ...env, AGENT_CHAT_HOME: join(directory, 'home') }
    const sender = await startAgent(script, 'backend', home)
    runOnce([script, 'join', 'frontend', id, '--doorbell', 'tmux'], {
      env: { ...home, TMUX: `${socket},0,0` },
    })
    const times = { ring: num(), floor: num() }
    for (let round = 0; round <= rounds; round += 1) {
      const floor = await typeOnce(pane, (...keys) => inTmux('send-keys', '-t', id, ...keys))
      const ring = await ringOnce({ script, env: home }, pane)
      // The first meets a watcher that is still starting.
      if (round === 0) continue
      times.floor.push(floor)
      times.ring.push(ring)
    }
    runOnce([script, 'leave', 'frontend'], { env: home })
    sender.kill()
    return times
  } finally {
    // The server may have ended already, where the pane's program failed.
    spawnSync('tmux', ['-S', socket, 'kill-server'], { env })
    server.close()
  }
}

/**
 * @param {AsyncIterator<string>} pane
 * @param {(...keys: string[]) => void} sendKeys
 */
async function typeOnce(pane, sendKeys) {
  const start = process.hrtime.bigint()
  sendKeys('-l', 'New message from @backend. Check inbox.')
  const first = await told(pane, 'first')
  sendKeys('Enter')
  await told(pane, 'enter')
  return Number(first - start) / 1e6
}

/**
 * @param {{ script: string, env: NodeJS.ProcessEnv }} home
 * @param {AsyncIterator<string>} pane
 */
async function ringOnce(home, pane) {
  // Any phase of the watcher's own timers, and well after the last change that it saw.
  await pauseAtRandom()
  const linked = linkedAt(home.env, sendOne(home))
  const first = await told(pane, 'first')
  await told(pane, 'enter')
  runOnce([home.script, 'inbox'], { env: { ...home.env, AGENT_CHAT_NAME: 'frontend' } })
  return Number(first - linked) / 1e6
}

/** @returns {number[]} */
function num() {
  return []
}
