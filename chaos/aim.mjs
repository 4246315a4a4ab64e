import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The moments are drawn from so much of the usual time before and after the one that is aimed at. */
const SPREAD = 0.15

/** Where the first is aimed at, and how far the next one is moved after one that came too early or too late, in parts of the usual time. */
const FIRST = 0.75
const MOVE = 0.05

/**
 * What a kill met: Node's own `start`, before the first line of the program; the program's own `code`, of which there was nothing to be seen yet; a `trace` of its
 * work, something new in the home or something printed; or its `end`, as it was not there to be killed any more.
 * @typedef {'start' | 'code' | 'trace' | 'end'} Hit
 */

/**
 * Draws the moments at which a command is killed, in milliseconds after its start: in the last part of its usual time, and a little beyond. How busy the machine is
 * moves that part, so what came of each kill moves the next.
 * @param {number} usualMs
 * @param {() => number} random
 */
export function takeAim(usualMs, random) {
  let part = FIRST
  const moves = { start: MOVE, code: MOVE, trace: 0, end: -MOVE }
  return {
    next: () => Math.max(0, part + (2 * random() - 1) * SPREAD) * usualMs,
    /** @param {Hit} hit */
    note: (hit) => {
      part += moves[hit]
    },
  }
}

/** Of fewer kills, where they met the program is chance, and the machine's load. */
const FEW = 20

/**
 * Of the kills, a quarter must have met the program itself, and a tenth must have left a trace of it: others prove nothing. Nothing is said of a few.
 * @param {Hit[]} hits
 * @returns {string[]} what is wrong
 */
export function wrongAim(hits) {
  if (hits.length < FEW) return []
  const count = (/** @type {Hit} */ kind) => hits.filter((hit) => hit === kind).length
  const killed = hits.length - count('end')
  const [code, trace] = [count('code') + count('trace'), count('trace')]
  return [
    ...(killed < hits.length / 4
      ? [`only ${killed} of ${hits.length} were killed before their end`]
      : []),
    ...(code < killed / 4
      ? [`only ${code} of ${killed} were killed in the program's own code`]
      : []),
    ...(trace < Math.floor(killed / 10)
      ? [`only ${trace} of ${killed} had left a trace when they were killed`]
      : []),
  ]
}

/**
 * What tells whether a home was changed: every name in it, with its file, length and time.
 * @param {string} home
 */
export function lookOf(home) {
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { ino, size, mtimeMs } = lstatSync(join(home, name))
      return `${name} ${ino} ${size} ${mtimeMs}`
    })
    .join('\n')
}
