// npm test: what everybody runs, in some minutes. Ends with one line of counts.
//   --check   npm run check: what is known without starting the program, within a minute
//   --rest    npm run test:rest: all that npm test leaves out
//   --all     npm run test:all: both, which is what decides whether a change lands
// Exits with 75 where the tests could not be prepared: that says nothing about them.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { close, printLane } from './tests/close.mjs'
import { endGroups, runGroup } from './tests/group.mjs'
import { MOST_FLAKY, runLane } from './tests/lane.mjs'
import { LANES, NEEDED, STATIC } from './tests/lanes.mjs'
import { leftOut } from './tests/needs.mjs'
import { NotPrepared, prepare } from './tests/prepare.mjs'

/** @typedef {import('./tests/lane.mjs').Lane} Lane */
/** @typedef {import('./tests/lane.mjs').Result} Result */

/** How long all lanes may take together, and a static check. In milliseconds. */
const LIMIT_MS = 40 * 60_000
const STATIC_MS = 5 * 60_000

const { values } = parseArgs({
  options: {
    check: { type: 'boolean' },
    rest: { type: 'boolean' },
    all: { type: 'boolean' },
    // Other lanes alone: the tests of this program.
    lanes: { type: 'string' },
  },
})
const mode = values.check ? 'check' : values.all ? 'all' : values.rest ? 'rest' : 'usual'
const reports = mkdtempSync(join(tmpdir(), 'agent-chat-tests-'))
for (const [name, code] of /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]))
  process.on(name, () => {
    endGroups()
    rmSync(reports, { recursive: true, force: true })
    process.exit(code)
  })

try {
  process.exitCode = values.lanes
    ? await runLanes((await import(resolve(values.lanes))).LANES)
    : await run()
} catch (error) {
  if (!(error instanceof NotPrepared)) throw error
  console.log(`not prepared: ${error.message}`)
  process.exitCode = 75
} finally {
  rmSync(reports, { recursive: true, force: true })
}

async function run() {
  const missing = mode === 'check' ? new Map() : await prepare(NEEDED[mode])
  const red = mode === 'rest' ? [] : await runStatic()
  return red.length > 0 ? close([], { red }) : runLanes(LANES[mode], missing)
}

/** Gives the names of the checks that failed. */
async function runStatic() {
  const waiting = [...STATIC]
  /** @type {string[]} */
  const red = []
  const one = async () => {
    for (let check = waiting.shift(); check && red.length === 0; check = waiting.shift()) {
      const { name, args } = check
      const began = performance.now()
      const { status, output } = await runGroup(args, { limitMs: STATIC_MS })
      const seconds = Math.round((performance.now() - began) / 1000)
      if (status !== 0) {
        red.push(name)
        console.log(`\n${output}`)
      }
      console.log(
        `${name.padEnd(20)} ${(status === 0 ? 'passed' : 'FAILED').padEnd(8)} ${seconds} s`,
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, one))
  return red
}

/**
 * Runs lanes one after the other, and gives the exit code.
 * @param {Lane[]} lanes @param {Map<string, string>} missing what tests need and is not here, with the reason
 */
async function runLanes(lanes, missing = new Map()) {
  const end = performance.now() + LIMIT_MS
  /** @type {Result[]} */
  const results = []
  const left = await leftOut(lanes, missing)
  let leftFlaky = MOST_FLAKY
  for (const lane of lanes) {
    const env = { ...lane.env, TEST_LEFT_OUT: [...missing.keys()].join(', ') }
    const leftMs = end - performance.now()
    const result = await runLane({ ...lane, env }, { reports, leftMs, leftFlaky })
    printLane(result)
    results.push(result)
    leftFlaky -= new Set(result.flaky.map(({ file }) => file)).size
    if (result.stop) break
  }
  const notBegun = lanes.slice(results.length).map(({ name }) => name)
  return close(results, { left, notBegun })
}
