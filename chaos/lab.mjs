import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { randomFrom } from '../scripts/random.mjs'
import { add, countWorld } from './count.mjs'
import { makeWorld } from './world.mjs'

/** How far ahead the clock of `doctor` is: what happened a minute ago or less may still be at work, and it leaves that alone. In milliseconds. */
const LATER_MS = 120_000

/**
 * A row of the table. `again`: that a message is shown again is part of the promise. `mounts`: runs where it may mount disks. `needs` says what this machine
 * lacks for it, if it does.
 * @typedef {{ name: string, promise: string, again?: boolean, mounts?: boolean, needs?: () => string | undefined, run: (lab: Lab, counts: Counts) => Promise<void> }} Case
 * @typedef {import('./count.mjs').Counts} Counts
 * @typedef {import('./world.mjs').World} World
 * @typedef {ReturnType<typeof makeLab>} Lab
 */

/**
 * What cases work with: worlds of their own in one directory, and chances that a seed repeats.
 * @param {{ directory: string, script: string, rounds: number, seed: number }} options
 */
export function makeLab({ directory, script, rounds, seed }) {
  let worlds = 0
  /** @param {Partial<Parameters<typeof makeWorld>[1]>} options */
  const world = (options = {}) => {
    worlds += 1
    return makeWorld(join(directory, `w${worlds}`), { script, ...options })
  }
  return { directory, script, rounds, random: randomFrom(seed), world, mend, finish }
}

/**
 * Lets `doctor` mend what is there, and look a second time, when it must find nothing.
 * @param {World} world
 * @param {string} when
 * @returns {Promise<{ doctor: number, second: number }>}
 */
async function mend(world, when) {
  const first = await findings(world, when)
  const second = await findings(world, `${when}, again`)
  for (const { detail } of second) world.wrong.push(`${when}: the second doctor found: ${detail}`)
  return { doctor: first.length, second: second.length }
}

/**
 * What a doctor says of the home's files.
 * @param {World} world
 * @param {string} when
 * @returns {Promise<{ status: string, detail: string, hint?: string }[]>}
 */
export async function findings(world, when) {
  const done = await world.runLater(['doctor', '--no-ring', '--json'], LATER_MS)
  // Without tmux it says so with 7.
  if (done.code !== 0 && done.code !== 7)
    world.wrong.push(`${when}: doctor ended with ${done.code}: ${done.stdout}${done.stderr}`)
  if (!done.stdout.startsWith('{')) return []
  /** @type {{ name: string, status: string, detail: string }[]} */
  const checks = JSON.parse(done.stdout).checks
  return checks.filter(({ name, status }) => name === 'leftovers' && status !== 'ok')
}

/**
 * Ends a world: doctor, doctor, everything read; then it is counted into the row.
 * @param {World} world
 * @param {Counts} counts
 * @param {string} when
 */
async function finish(world, counts, when) {
  const found = await mend(world, when)
  await world.drain(when)
  add(counts, { ...countWorld(world), ...found })
  rmSync(world.root, { recursive: true, force: true, maxRetries: 5 })
}
