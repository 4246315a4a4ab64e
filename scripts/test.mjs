// The whole of the tests, in the order of their cost. Says what it needs before it starts, and ends with one line of counts.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NEEDS = {
  tmux: 'the tmux doorbell and the launcher are tested in a real tmux: apt-get install tmux, brew install tmux, …',
  git: 'the plugin is installed from a git repository: apt-get install git, brew install git, …',
}
const missing = Object.entries(NEEDS).filter(([program]) => spawnSync(program, ['-V'], { stdio: 'ignore' }).error)
for (const [program, why] of missing) console.error(`missing: ${program} (${why})`)
if (missing.length > 0) process.exit(7)
console.log('needs: tmux, git, and the npm registry once, for the real Claude Code (kept in a cache)\n')

const reports = mkdtempSync(join(tmpdir(), 'agent-chat-tests-'))
const vitest = join('node_modules', 'vitest', 'vitest.mjs')
const reporters = (name) => [
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${join(reports, `${name}.json`)}`,
]
const STEPS = [
  ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']],
  ['types', ['node_modules/typescript/bin/tsc', '--noEmit']],
  ['dist', ['scripts/check-dist.mjs']],
  ['unit, crash, tmux and plugin tests', [vitest, 'run', ...reporters('unit')]],
  ['end to end', [vitest, 'run', '--config', 'test/e2e/vitest.config.mts', ...reporters('e2e')]],
]

let passed = 0
let failed = 0
try {
  for (const [name, args] of STEPS) {
    console.log(`\n== ${name}`)
    const started = Date.now()
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: cleanEnv() })
    console.log(`== ${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${Math.round((Date.now() - started) / 1000)} s`)
    if (args[0] !== vitest) count(status === 0 ? 1 : 0, status === 0 ? 0 : 1)
    else if (status !== 0) failed += 1
  }
  for (const name of ['unit', 'e2e']) countReport(join(reports, `${name}.json`))
} finally {
  rmSync(reports, { recursive: true, force: true })
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function count(good, bad) {
  passed += good
  failed += bad
}

function countReport(path) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(path, 'utf8'))
    count(numPassedTests, numFailedTests)
  } catch {
    count(0, 1)
  }
}

/** A session that runs these tests must not name itself to what is tested. */
function cleanEnv() {
  const drop = /^(AGENT_CHAT_|CLAUDE|TMUX|AI_AGENT$|NODE_EXTRA_CA_CERTS$)/
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => !drop.test(key)))
}
