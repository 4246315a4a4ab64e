import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runGroup } from './group.mjs'

/**
 * Tests that run after those of the lane before. `args`: what Node runs, a Vitest; `files`: where it
 * is not all of them; `minutes`: how long they may take, twice what they take beside other work.
 * @typedef {{ name: string, args: string[], files?: string[], env?: Record<string, string>, minutes: number }} Lane
 *
 * @typedef {import('./reporter.mjs').Failure & { file: string }} Failed
 *
 * How a lane went. `flaky`: failed once by waiting, and passed alone; `skipped`: how many tests of a
 * file were left out, by reason; `longest`: the files that took longest, with their seconds; `stop`:
 * whether the next lane is not to begin.
 * @typedef {{ name: string, seconds: number, passed: number, failed: Failed[], flaky: Failed[],
 *   skipped: Map<string, number>, slow: string[], longest: string[], stop: boolean }} Result
 *
 * @typedef {import('./group.mjs').Outcome & { ended: import('./reporter.mjs').Ended[],
 *   unhandled: import('./reporter.mjs').Failure[], atWork: string[] }} Run
 */

/** More failed tests than this say nothing more, and end a lane. */
export const MOST_FAILED = 10
/** So many files of a whole run may fail once by waiting. */
export const MOST_FLAKY = 3

/** Of the files that took longest, so many are kept in the report. */
const LONGEST = 40

/** What is lost, twice or torn there is so by chance: a second run says nothing about the first. */
const NEVER_FORGIVEN = /fuzz|crash|concurren|chaos/i

const REPORTER = join(import.meta.dirname, 'reporter.mjs')

/**
 * Runs a lane, and once more, by itself, each file that failed by waiting alone.
 * @param {Lane} lane
 * @param {{ reports: string, leftMs: number, leftFlaky: number }} limits a directory for reports, the
 *   time of the whole run that is left, and how many files may still be flaky
 * @returns {Promise<Result>}
 */
export async function runLane(lane, { reports, leftMs, leftFlaky }) {
  const began = performance.now()
  const end = began + Math.min(leftMs, lane.minutes * 60_000)
  /** @param {string} name @param {string[]} files */
  const run = (name, files) =>
    runVitest([...lane.args, ...files], {
      env: { ...lane.env, TEST_REPORT: join(reports, `${name.replaceAll(/\W+/g, '-')}.jsonl`) },
      limitMs: Math.max(1, end - performance.now()),
    })
  const first = await run(lane.name, [...(lane.files ?? []), `--bail=${MOST_FAILED + 1}`])
  const failed = failuresOf(first, lane)
  let passed = first.ended.reduce((sum, { titles }) => sum + titles.length, 0)
  const stop = failed.length > MOST_FAILED || first.late || first.signal !== null
  /** @type {Failed[]} */
  const flaky = []
  const again = stop ? [] : forgivable(failed)
  for (const file of again.length > leftFlaky ? [] : again) {
    const second = await run(`${lane.name} ${file}`, [file])
    if (failuresOf(second, lane).length > 0) continue
    const once = failed.filter((one) => one.file === file)
    passed += once.length
    flaky.push(...once)
  }
  return {
    name: lane.name,
    seconds: Math.round((performance.now() - began) / 1000),
    passed,
    failed: failed.filter((one) => !flaky.includes(one)),
    flaky,
    skipped: stop ? new Map() : skippedOf(first),
    slow: first.ended.flatMap(({ ends, slow }) =>
      slow.map((what) => what.replace('slow: ', `slow: ${ends}: `)),
    ),
    longest: first.ended
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, LONGEST)
      .map(({ ends, ms }) => `${(ms / 1000).toFixed(1)} s ${ends}`),
    stop,
  }
}

/** Files in which every test that failed waited in vain. @param {Failed[]} failed */
function forgivable(failed) {
  const files = [...new Set(failed.map(({ file }) => file))]
  return files.filter(
    (file) =>
      !NEVER_FORGIVEN.test(file) &&
      failed.every((one) => one.file !== file || (one.waited && one.title !== '')),
  )
}

/** @param {string[]} args @param {{ env: Record<string, string>, limitMs: number }} options @returns {Promise<Run>} */
async function runVitest(args, { env, limitMs }) {
  const outcome = await runGroup([...args, `--reporter=${REPORTER}`], { env, limitMs })
  const lines = linesOf(env.TEST_REPORT ?? '')
  const ended = lines.flatMap((line) => ('ends' in line ? [line] : []))
  const begun = lines.flatMap((line) => ('begins' in line ? [line.begins] : []))
  return {
    ...outcome,
    ended,
    unhandled: lines.flatMap((line) => ('unhandled' in line ? [line.unhandled] : [])),
    atWork: begun.filter((file) => !ended.some(({ ends }) => ends === file)),
  }
}

/** Every whole line of a report: the last one may be cut. @param {string} path @returns {any[]} */
function linesOf(path) {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

/** What failed, and whatever else keeps a run from being green. @param {Run} run @param {Lane} lane @returns {Failed[]} */
function failuresOf(run, { name, minutes }) {
  const failed = run.ended.flatMap(({ ends, failed }) =>
    failed.map((one) => ({ ...one, file: ends })),
  )
  const at = run.atWork.length > 0 ? `; at work: ${run.atWork.join(', ')}` : ''
  /** @param {string} error @returns {Failed} */
  const whole = (error) => ({ file: name, title: '', error, waited: false, whole: run.output })
  const others = run.unhandled.map((one) => ({ ...one, file: name, waited: false }))
  if (run.late) others.push(whole(`ended after its limit of ${minutes} minutes${at}`))
  else if (run.signal !== null) others.push(whole(`ended by ${run.signal}${at}`))
  else if (!run.ended.some(({ titles, failed }) => titles.length + failed.length > 0))
    others.push(whole('executed no test'))
  else if (run.status !== 0 && failed.length + others.length === 0)
    others.push(whole(`ended with ${run.status}`))
  return [...failed, ...others]
}

/** How many tests were left out, by file and reason. @param {Run} run */
function skippedOf({ ended }) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { ends, skipped } of ended)
    for (const why of skipped) {
      const text = `${ends}: ${why}`
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
  return counts
}
