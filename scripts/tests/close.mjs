import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDirectory } from './cache.mjs'

/** @typedef {import('./lane.mjs').Result} Result */
/** @typedef {import('./lane.mjs').Failed} Failed */

/** Of what came late, so much is printed. */
const MOST_SLOW = 40
/** So many reports of runs are kept. */
const KEPT = 20

/** Prints what failed in a lane, whole, and one line about the lane. @param {Result} lane */
export function printLane(lane) {
  for (const one of lane.failed) console.log(`\n${titleOf(one)}\n${one.whole}`)
  console.log(lineOf(lane))
}

/**
 * Prints why a run is as it is; the counts come last. Keeps that, and all of what failed, in a file of
 * the cache. Gives the exit code.
 * @param {Result[]} lanes
 * @param {{ red?: string[], left?: string[], notBegun?: string[] }} others static checks that failed,
 *   what was left out, and lanes that were not begun
 */
export function close(lanes, { red = [], left = [], notBegun = [] }) {
  const failed = lanes.flatMap((lane) => lane.failed)
  const passed = lanes.reduce((sum, lane) => sum + lane.passed, 0)
  const skipped = lanes.flatMap((lane) => [...lane.skipped])
  const count = failed.length + red.length
  const lines = [
    ...lanes.map(lineOf),
    ...notBegun.map((name) => `${name.padEnd(20)} not begun`),
    ...lanes.flatMap((lane) => lane.slow).slice(0, MOST_SLOW),
    ...left.map((what) => `left out: ${what}`),
    ...skipped.map(([what, cases]) => `left out: ${what}; ${cases} cases`),
    ...lanes.flatMap((lane) => lane.flaky).map((one) => `flaky: ${titleOf(one)}`),
    ...red.map((name) => `failed: ${name}`),
    ...failed.map((one) => `failed: ${titleOf(one)}`),
  ]
  const counts = `${passed} passed, ${count} failed`
  const whole = failed.map((one) => `\n${titleOf(one)}\n${one.whole}`)
  const longest = lanes.flatMap((lane) => ['', `longest in ${lane.name}:`, ...lane.longest])
  const kept = keep([...lines, counts, ...whole, ...longest, ''].join('\n'))
  console.log(['', ...lines, `kept in ${kept}`, counts].join('\n'))
  return count === 0 ? 0 : 1
}

/** @param {Result} lane */
function lineOf({ name, passed, failed, seconds }) {
  const how = failed.length === 0 ? 'passed' : 'FAILED'
  return `${name.padEnd(20)} ${how.padEnd(8)} ${seconds} s, ${passed} passed, ${failed.length} failed`
}

/** @param {Failed} one */
function titleOf({ file, title, error }) {
  return `${title === '' ? file : `${file} > ${title}`}: ${error}`
}

/** Keeps a report, the newest twenty in all, and gives its path. @param {string} text */
function keep(text) {
  const folder = join(cacheDirectory(), 'test-runs')
  mkdirSync(folder, { recursive: true })
  const time = new Date().toISOString().replaceAll(':', '-').slice(0, 19)
  const path = join(folder, `${time}-${commit()}.txt`)
  writeFileSync(path, text)
  const old = readdirSync(folder).sort().slice(0, -KEPT)
  for (const file of old) rmSync(join(folder, file), { force: true })
  return path
}

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'no-commit'
  }
}
