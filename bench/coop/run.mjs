import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { commitOf } from '../origin.mjs'
import { measure, measureClaude } from './measure.mjs'
import { pairsIn } from './patches.mjs'
import { race } from './races.mjs'
import { randomFrom, shuffled } from './replay.mjs'
import { pageOf, racesOf, tableOf, writePage } from './report.mjs'

const HELP = `usage: npm run bench:coop -- [options]

Two sessions in two worktrees of one repository each replay one of two patches, and our hooks judge every write.

  --dataset <folder>  the folder that holds dataset/, the project's own small one by default
  --pairs <n>         this many pairs, which the seed chooses; all of them by default
  --seed <s>          what decides the order of the edits and the pauses, 1 by default
  --client <which>    what makes the calls: none, for our hooks alone, or claude, for the real Claude Code with a
                      scripted model: 5 pairs by default
  --races <n>         not this, but four sessions that claim at the same moment, so many times
  --json              print the figures as JSON
  --write             put them into docs/evidence/cooperation.md, with 10,000 races and 5 pairs on the real client
`

/** So many races are on the page, and so many pairs on the real client. */
const RACES = 10_000
const REAL = 5
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OWN = fileURLToPath(new URL('./own', import.meta.url))

const { values } = parseArgs({
  options: {
    dataset: { type: 'string', default: OWN },
    pairs: { type: 'string' },
    seed: { type: 'string', default: '1' },
    client: { type: 'string', default: 'none' },
    races: { type: 'string' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(HELP)
else if (values.races !== undefined) await raceOnly(countOf('races', values.races))
else await main()

/** @param {number} count */
async function raceOnly(count) {
  const figures = await race(count, countOf('seed', values.seed))
  process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : `${racesOf(figures)}\n`)
  if (figures.other > 0) process.exitCode = 1
}

async function main() {
  const folder = resolve(values.dataset)
  const seed = countOf('seed', values.seed)
  if (!/^(?:none|claude)$/.test(values.client))
    fail(`--client ${values.client} is not known: it is none or claude`)
  if (!existsSync(join(folder, 'dataset'))) fail(`${folder} holds no dataset/`)
  // What is committed while it runs was not measured.
  const commit = commitOf(ROOT)
  const all = pairsIn(folder)
  const some = (/** @type {number} */ count) => shuffled(all, randomFrom(seed)).slice(0, count)
  const asked = values.pairs === undefined ? undefined : countOf('pairs', values.pairs)
  const count = asked ?? (values.client === 'claude' ? REAL : undefined)
  const pairs = count === undefined ? all : some(count)
  if (pairs.length === 0) fail(`${folder} has no two features of one task`)
  if (values.client === 'claude') return onClaude(folder, pairs, seed)
  const { on, off } = await measure(pairs, seed)
  const { all: _, ...figures } = on
  process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : tableOf(on, off))
  if (values.write) {
    const races = await race(RACES, seed)
    const real = measureClaude(folder, some(REAL), seed)
    writePage(pageOf(on, off, { commit, seed, isOwn: folder === resolve(OWN), races, real }))
    judge(real)
    if (races.other > 0) process.exitCode = 1
  }
  judge(on)
}

/** @param {string} folder @param {import('./patches.mjs').Pair[]} pairs @param {number} seed */
function onClaude(folder, pairs, seed) {
  const totals = measureClaude(folder, pairs, seed)
  process.stdout.write(`${JSON.stringify({ ...totals, ms_per_edit: null })}\n`)
  judge(totals)
}

/** @param {{ told: number, conflicts: number, lost: number, repeated: number }} figures */
function judge({ told, conflicts, lost, repeated }) {
  if (told < conflicts || lost > 0 || repeated > 0) process.exitCode = 1
}

/** @param {string} name @param {string} text */
function countOf(name, text) {
  const count = Number(text)
  return Number.isSafeInteger(count) && count >= 0 ? count : fail(`--${name} is no number: ${text}`)
}

/** @param {string} why @returns {never} */
function fail(why) {
  process.stderr.write(`${why}\n`)
  process.exit(2)
}
