import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { forgetSends } from './home.mjs'
import { runOnce, startAgent } from './process.mjs'
import { summarize } from './stats.mjs'

const PANE = fileURLToPath(new URL('./pane.mjs', import.meta.url))

/**
 * From the message standing in the inbox to the first byte in the agent's terminal, in milliseconds: a real `send`, the watcher as
 * `join` starts it, a real pane on a tmux server of its own.
 * @param {{ directory: string, script: string, env: NodeJS.ProcessEnv, rounds: number }} plan
 */
export async function measureRing({ directory, script, env, rounds }) {
  const tmux = join(directory, 'tmux.sock')
  const server = createServer()
  server.listen(join(directory, 'pane.sock'))
  const inTmux = (/** @type {string[]} */ ...args) =>
    execFileSync('tmux', ['-S', tmux, ...args], { env, encoding: 'utf8' })
  const connected = once(server, 'connection')
  const command = `'${process.execPath}' '${PANE}' '${join(directory, 'pane.sock')}'`
  inTmux('-f', '/dev/null', 'new-session', '-d', '-x', '100', '-y', '30', command)
  try {
    const [socket] = await connected
    const told = createInterface({ input: socket })[Symbol.asyncIterator]()
    await next(told, 'ready')
    const pane = inTmux('list-panes', '-a', '-F', '#{pane_id}').trim()
    const home = { ...env, AGENT_CHAT_HOME: join(directory, 'home') }
    const sender = await startAgent(script, 'backend', home)
    runOnce([script, 'join', 'frontend', pane, '--doorbell', 'tmux'], { env: { ...home, TMUX: `${tmux},0,0` } })
    const times = []
    for (let round = 0; round <= rounds; round += 1) {
      const ms = await oneRing({ script, env: home, told })
      // The first meets a watcher that is still starting.
      if (round > 0) times.push(ms)
    }
    runOnce([script, 'leave', 'frontend'], { env: home })
    sender.kill()
    return summarize(times)
  } finally {
    // The server may have ended already, where the pane's program failed.
    spawnSync('tmux', ['-S', tmux, 'kill-server'], { env })
    server.close()
  }
}

/** @param {{ script: string, env: NodeJS.ProcessEnv, told: AsyncIterator<string> }} plan */
async function oneRing({ script, env, told }) {
  // Any phase of the watcher's own timers, and well after the last change that it saw.
  await pause(150 + Math.random() * 250)
  const root = env.AGENT_CHAT_HOME ?? ''
  forgetSends(root, 'backend')
  const { stdout } = runOnce([script, 'send', '@frontend', 'ready'], { env: { ...env, AGENT_CHAT_NAME: 'backend' } })
  const id = stdout.split(' ')[1] ?? ''
  // The link into the inbox is the last change to the file itself. The kernel may date it up to one tick early: never late.
  const linked = statSync(join(root, 'inbox', 'frontend', `${id}.md`), { bigint: true }).ctimeNs
  const first = await next(told, 'first')
  await next(told, 'enter')
  runOnce([script, 'inbox'], { env: { ...env, AGENT_CHAT_NAME: 'frontend' } })
  return Number(first + wallOffset() - linked) / 1e6
}

/**
 * @param {AsyncIterator<string>} told
 * @param {string} what
 * @returns {Promise<bigint>}
 */
async function next(told, what) {
  const late = new AbortController()
  const tooLate = pause(20_000, undefined, { signal: late.signal }).then(() => {
    throw new Error(`the pane did not tell of "${what}" within 20 s`)
  })
  tooLate.catch(() => {})
  const { value } = await Promise.race([told.next(), tooLate])
  late.abort()
  const [word, time] = String(value).split(' ')
  if (word !== what) throw new Error(`the pane told of "${word}" instead of "${what}"`)
  return BigInt(time ?? 0)
}

/** What to add to the monotonic clock to get the wall clock, in nanoseconds: taken at the moment when the wall clock's millisecond turns. */
function wallOffset() {
  const before = Date.now()
  let now = before
  while (now === before) now = Date.now()
  return BigInt(now) * 1_000_000n - process.hrtime.bigint()
}
