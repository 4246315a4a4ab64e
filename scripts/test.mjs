// The whole of the tests, in the order of their cost. Says what it needs before it starts, and ends with one line of counts.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const NEEDS = {
  tmux: 'the tmux doorbell and the launcher are tested in a real tmux: apt-get install tmux, brew install tmux, …',
  git: 'the plugin is installed from a git repository: apt-get install git, brew install git, …',
}
const missing = Object.entries(NEEDS).filter(
  ([program]) => spawnSync(program, ['-V'], { stdio: 'ignore' }).error,
)
for (const [program, why] of missing) console.error(`missing: ${program} (${why})`)
if (missing.length > 0) process.exit(7)
console.log(
  'needs: tmux, git, and the npm registry once, for the real agents and the conformance suite of MCP (kept in a cache)\n',
)

const reports = mkdtempSync(join(tmpdir(), 'agent-chat-tests-'))
const vitest = join('node_modules', 'vitest', 'vitest.mjs')
const reportAt = (/** @type {string} */ name) => join(reports, `${name}.json`)
const reporters = (/** @type {string} */ name) => [
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportAt(name)}`,
]
const END_TO_END = [vitest, 'run', '--config', 'test/e2e/vitest.config.mts']
const TWO = ['--maxWorkers=2', '--fileParallelism']
/**
 * Name, arguments for node, and the report it leaves, if it does.
 * @type {[name: string, args: string[], report?: string][]}
 */
const STEPS = [
  ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']],
  ['types', ['node_modules/typescript/bin/tsc', '--noEmit']],
  ['types of the page', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'src/web/page']],
  ['types of its tests', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'test/e2e/web']],
  ['unused', ['node_modules/knip/bin/knip.js']],
  ['dist', ['scripts/check-dist.mjs']],
  ['audit', ['scripts/audit.mjs']],
  ['unit, crash, tmux and plugin tests', [vitest, 'run', ...reporters('unit')], reportAt('unit')],
  // Two at a time: how long a ring takes is measured by `npm run e2e`, one at a time.
  ['end to end', [...END_TO_END, ...TWO, ...reporters('e2e')], reportAt('e2e')],
]

let passed = 0
const failures = []
/** Steps that neither passed nor failed, and what is to be done about that. @type {string[]} */
const open = []
try {
  for (const [name, args, report] of STEPS) {
    console.log(`\n== ${name}`)
    const started = Date.now()
    const { status, answered } = run(name, args)
    const how = status !== 0 ? 'FAILED' : answered ? 'passed' : 'NOT ANSWERED'
    console.log(`== ${name}: ${how} in ${Math.round((Date.now() - started) / 1000)} s`)
    const told = report === undefined ? 0 : countReport(report, name)
    if (status !== 0 && told === 0) failures.push(name)
    if (status === 0 && !answered)
      open.push(`the ${name} was not answered (npm run ${name} -- --strict)`)
    if (status === 0 && answered && report === undefined) passed += 1
  }
} finally {
  rmSync(reports, { recursive: true, force: true })
}
for (const failure of failures) console.log(`failed: ${failure}`)
console.log(`\n${[`${passed} passed, ${failures.length} failed`, ...open].join('; ')}`)
process.exitCode = failures.length === 0 ? 0 : 1

/** Runs a step. The audit alone may pass without an answer: nothing is known then, and it is not done. @param {string} name @param {string[]} args */
function run(name, args) {
  const heard = name === 'audit'
  const { status, stdout } = spawnSync(process.execPath, args, {
    stdio: ['inherit', heard ? 'pipe' : 'inherit', 'inherit'],
    encoding: 'utf8',
    env: cleanEnv(),
  })
  if (heard) process.stdout.write(stdout)
  return { status, answered: !heard || !stdout.startsWith('not known:') }
}

/** Counts what a report tells, and keeps the names of what failed; gives how many did. @param {string} path @param {string} step */
function countReport(path, step) {
  let report
  try {
    report = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    failures.push(`${step}: no report`)
    return 1
  }
  passed += report.numPassedTests
  const before = failures.length
  for (const { name, assertionResults } of report.testResults)
    for (const test of assertionResults)
      if (test.status === 'failed')
        failures.push(`${relative(process.cwd(), name)} > ${test.fullName}`)
  return failures.length - before
}

/** A session that runs these tests must not name itself to what is tested. */
function cleanEnv() {
  const drop = /^(AGENT_CHAT_|CLAUDE|TMUX|AI_AGENT$|NODE_EXTRA_CA_CERTS$)/
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => !drop.test(key)))
}
