// npm test: what everybody runs, in some minutes. Ends with one line of counts.
//   --all    npm run test:all: that, and all the rest
//   --rest   the rest alone
//   --keep <file>   keeps the counts there for a second run, whose closing line is for both: that
//                   one is told with --kept <file>
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { olderPages } from './evidence.mjs'
import { whyNoClient } from './tests/client.mjs'
import { runGroup } from './tests/group.mjs'
import { ALONE, BESIDE, CASES, CLIENTS, clients, STATIC, TESTS } from './tests/groups.mjs'

/** @typedef {import('./tests/group.mjs').Group} Group */

const { values } = parseArgs({
  options: {
    all: { type: 'boolean' },
    rest: { type: 'boolean' },
    keep: { type: 'string' },
    kept: { type: 'string' },
  },
})

const NEEDS = {
  tmux: 'the tmux doorbell and the launcher are tested in a real tmux: apt-get install tmux, brew install tmux, …',
  git: 'the plugin is installed from a git repository: apt-get install git, brew install git, …',
}
const missing = Object.entries(NEEDS).filter(
  ([program]) => spawnSync(program, ['-V'], { stdio: 'ignore' }).error,
)
for (const [program, why] of missing) console.error(`missing: ${program} (${why})`)
if (missing.length > 0) process.exit(7)

const reports = mkdtempSync(join(tmpdir(), 'agent-chat-tests-'))
/** @type {{ passed: number, failed: string[], left: string[] }} */
const counts = { passed: 0, failed: [], left: [] }
if (values.kept) {
  const kept = readFileSync(values.kept, 'utf8')
  // A run that was ended has written none.
  Object.assign(counts, kept === '' ? { failed: ['npm test has no counts'] } : JSON.parse(kept))
}
const began = performance.now()

try {
  if (!values.rest) await usual()
  if (values.all || values.rest) await rest()
} finally {
  rmSync(reports, { recursive: true, force: true })
}
close()

/** All that `npm test` runs. */
async function usual() {
  console.log(
    'needs: tmux, git, and the npm registry once, for the real Claude Code (kept in a cache)\n',
  )
  await lane(STATIC, Math.min(2, availableParallelism()))
  await lane(TESTS)
  const why = whyNoClient()
  if (why !== undefined) {
    for (const { shows } of CASES) counts.left.push(`${shows}: no Claude Code (${why})`)
    return
  }
  const [done] = await lane([clients(CASES)])
  for (const { shows, title, needs } of CASES) {
    const ran = done?.ran.some((test) => new RegExp(title).test(test))
    if (ran) continue
    if (needs) counts.left.push(`${shows}: ${needs}`)
    else counts.failed.push(`${shows}: no test has the title "${title}"`)
  }
}

/** What is too long for `npm test`. */
async function rest() {
  console.log('\nthe rest: some 15 minutes')
  await lane(ALONE)
  await Promise.all([lane([CLIENTS]), lane(BESIDE)])
}

/**
 * Runs groups, so many at a time, and counts what they tell.
 * @param {Group[]} groups
 */
async function lane(groups, atOnce = 1) {
  const waiting = [...groups]
  /** @type {import('./tests/group.mjs').Done[]} */
  const done = []
  const one = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift())
      done.push(await runGroup(group, reports))
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  for (const { name, passed, failed, open } of done) {
    counts.passed += passed
    counts.failed.push(...failed)
    if (open) counts.left.push(`the ${name}: not answered (npm run ${name} -- --strict)`)
  }
  return done
}

/** Says what failed, what was left out, and how to run the rest; the counts come last. */
function close() {
  const minutes = (performance.now() - began) / 60_000
  console.log(`\nin ${minutes.toFixed(1)} minutes`)
  for (const what of counts.left) console.log(`left out: ${what}`)
  const older = values.rest ? [] : olderPages()
  if (older.length > 0) console.log(`evidence older than its source: ${older.join(', ')}`)
  if (!values.all && !values.rest)
    console.log(
      'the rest (every client, matrices, random cases): npm run test:all; on every Node: npm run nodes',
    )
  for (const failure of counts.failed) console.log(`failed: ${failure}`)
  process.exitCode = counts.failed.length === 0 ? 0 : 1
  if (values.keep) writeFileSync(values.keep, JSON.stringify(counts))
  const closing = `${counts.passed} passed, ${counts.failed.length} failed`
  console.log(values.keep ? `npm test: ${closing}` : `\n${closing}`)
}
