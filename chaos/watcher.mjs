import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './process.mjs'

/** A watcher looks every 2 s whatever happens; it rings, and it ends, within this, on a busy machine too. In milliseconds. */
const SOON_MS = 15_000

/**
 * Starts a watcher that rings on its standard output, and waits until it watches.
 * @param {import('./world.mjs').World} world
 * @param {string[]} wrap
 */
export async function startWatcher(world, wrap = []) {
  const job = world.launch(['watch', 'frontend', '--doorbell', 'stdout'], {
    wrap,
    limitMs: 4 * SOON_MS,
  })
  if (!(await until(() => logOf(world).includes('watching the inbox'), SOON_MS)))
    world.wrong.push(`the watcher did not begin: ${job.said().stderr}`)
  return job
}

/**
 * Sends a message, for which the watcher must ring.
 * @param {import('./world.mjs').World} world
 * @param {import('./steps.mjs').Job} job
 */
export async function mustRing(world, job) {
  await world.fine('to be rung for', world.send())
  // Its log is the last thing that it writes of a ring.
  const rung = () =>
    job.said().stdout.includes('New message from @backend') &&
    logOf(world).includes('rang by stdout')
  if (!(await until(rung, SOON_MS)))
    world.wrong.push(`the watcher did not ring: ${job.said().stderr}${logOf(world)}`)
}

/**
 * The watcher ends soon, well, and says why.
 * @param {import('./world.mjs').World} world
 * @param {import('./steps.mjs').Job} job
 * @param {string} why
 */
export async function mustEnd(world, job, why) {
  const began = performance.now()
  const { code, signal, stderr } = await job.ended
  const ms = Math.round(performance.now() - began)
  if (ms > SOON_MS || code !== 0 || !stderr.includes(`the watcher of @frontend ends: ${why}`))
    world.wrong.push(`the watcher ended with ${code ?? signal} after ${ms} ms: ${stderr}`)
}

/** What watchers have to say. @param {import('./world.mjs').World} world */
export function logOf({ home }) {
  const logs = join(home, 'logs')
  if (!existsSync(logs)) return ''
  return readdirSync(logs)
    .map((name) => readFileSync(join(logs, name), 'utf8'))
    .join('')
}
