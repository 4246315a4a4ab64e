import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { forgetSends, lastSent } from './home.mjs'
import { runOnce } from './process.mjs'

/** @typedef {{ script: string, env: NodeJS.ProcessEnv }} Ringing a home, by its environment, and the program */

/** Any phase of whatever timers others have, and well after the last change that they saw. */
export function pauseAtRandom() {
  return pause(150 + Math.random() * 250)
}

/**
 * Sends a message from `backend` to `frontend`; gives its id.
 * @param {Ringing} home
 */
export function sendOne({ script, env }) {
  forgetSends(env.AGENT_CHAT_HOME ?? '', 'backend')
  runOnce([script, 'send', '@frontend', 'ready'], {
    env: { ...env, AGENT_CHAT_NAME: 'backend' },
  })
  return lastSent(env.AGENT_CHAT_HOME ?? '').id
}

/**
 * When a message came into `frontend`'s inbox, by the monotonic clock, in nanoseconds.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} id
 */
export function linkedAt(env, id) {
  // The link into the inbox is the last change to the file itself. The kernel may date it up to one tick early: never late.
  const path = join(env.AGENT_CHAT_HOME ?? '', 'inbox', 'frontend', `${id}.md`)
  return statSync(path, { bigint: true }).ctimeNs - wallOffset()
}

/**
 * The time at which a process tells of something, by the monotonic clock, in nanoseconds. Its lines are `<what> <time>`.
 * @param {AsyncIterator<string>} lines
 * @param {string} what
 * @returns {Promise<bigint>}
 */
export async function told(lines, what) {
  const late = new AbortController()
  const tooLate = pause(20_000, undefined, { signal: late.signal }).then(() => {
    throw new Error(`nothing told of "${what}" within 20 s`)
  })
  tooLate.catch(() => {})
  const { value } = await Promise.race([lines.next(), tooLate])
  late.abort()
  const [word, time] = String(value).split(' ')
  if (word !== what) throw new Error(`told of "${value}" instead of "${what}"`)
  return BigInt(time ?? 0)
}

/** What to add to the monotonic clock to get the wall clock, in nanoseconds: taken at the moment when the wall clock's millisecond turns. */
function wallOffset() {
  const before = Date.now()
  let now = before
  while (now === before) now = Date.now()
  return BigInt(now) * 1_000_000n - process.hrtime.bigint()
}
