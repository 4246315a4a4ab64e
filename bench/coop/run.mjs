import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { commitOf } from '../origin.mjs'
import { measure } from './measure.mjs'
import { pairsIn } from './patches.mjs'
import { randomFrom, shuffled } from './replay.mjs'
import { pageOf, tableOf, writePage } from './report.mjs'

const HELP = `usage: npm run bench:coop -- [options]

Two sessions in two worktrees of one repository each replay one of two patches, and our hooks judge every write.

  --dataset <folder>  the folder that holds dataset/, the project's own small one by default
  --pairs <n>         this many pairs, which the seed chooses; all of them by default
  --seed <s>          what decides the order of the edits and the pauses, 1 by default
  --client none       what makes the calls: the hooks alone (npm run e2e -- meet has the real client)
  --json              print the figures as JSON
  --write             put them into docs/evidence/cooperation.md
`

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OWN = fileURLToPath(new URL('./own', import.meta.url))

const { values } = parseArgs({
  options: {
    dataset: { type: 'string', default: OWN },
    pairs: { type: 'string' },
    seed: { type: 'string', default: '1' },
    client: { type: 'string', default: 'none' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(HELP)
else await main()

async function main() {
  const folder = resolve(values.dataset)
  const seed = countOf('seed', values.seed)
  if (values.client !== 'none')
    fail(
      `--client ${values.client} is not known: it is none; npm run e2e -- meet has the real client`,
    )
  if (!existsSync(join(folder, 'dataset'))) fail(`${folder} holds no dataset/`)
  // What is committed while it runs was not measured.
  const commit = commitOf(ROOT)
  const all = pairsIn(folder)
  const pairs =
    values.pairs === undefined
      ? all
      : shuffled(all, randomFrom(seed)).slice(0, countOf('pairs', values.pairs))
  if (pairs.length === 0) fail(`${folder} has no two features of one task`)
  const { on, off } = await measure(pairs, seed)
  const { all: _, ...figures } = on
  process.stdout.write(values.json ? `${JSON.stringify(figures)}\n` : tableOf(on, off))
  if (values.write) writePage(pageOf(on, off, { commit, seed, isOwn: folder === resolve(OWN) }))
  if (on.told < on.conflicts || on.lost > 0 || on.repeated > 0) process.exitCode = 1
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
