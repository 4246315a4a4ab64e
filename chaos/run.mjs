import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { arch, release, tmpdir, type } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeReport } from '../bench/report.mjs'
import { allCases } from './cases.mjs'
import { noCounts } from './count.mjs'
import { makeLab } from './lab.mjs'
import { mountsWhy, unshared } from './mounts.mjs'
import { isBroken, renderBroken, renderTable } from './table.mjs'

const HELP = `usage: npm run chaos -- [options]

  --only <name>   the cases with this in their names; may be given again
  --rounds <n>    random kills of each command, 60 by default; the other cases take their part of it
  --seed <n>      chances as in an earlier run
  --write         put the table into docs/evidence/chaos.md; with --only, these rows in the place of those that stand there
  --list          print the names of the cases
`
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    write: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    // One case whose row goes to standard output as JSON: how a case is run where it may mount disks.
    row: { type: 'string' },
  },
})
const rounds = numberOf('rounds', values.rounds)
const seed = numberOf('seed', values.seed)

if (values.help) process.stdout.write(HELP)
else if (values.list)
  process.stdout.write(
    `${allCases()
      .map(({ name }) => name)
      .join('\n')}\n`,
  )
else if (values.row !== undefined)
  process.stdout.write(`${JSON.stringify(await rowOf(caseNamed(values.row)))}\n`)
else await main()

async function main() {
  const cases = allCases().filter(
    ({ name }) => values.only.length === 0 || values.only.some((part) => name.includes(part)),
  )
  if (cases.length === 0)
    throw new Error(`no case has that in its name: see npm run chaos -- --list`)
  const rows = []
  for (const one of cases) {
    const began = performance.now()
    const row = one.mounts ? rowInMounts(one) : await rowOf(one)
    rows.push(row)
    const state = row.notRun === undefined ? (isBroken(row) ? 'BROKEN' : 'held') : 'not run'
    process.stderr.write(
      `${state.padEnd(8)} ${one.name} (${Math.round((performance.now() - began) / 1000)} s)\n`,
    )
  }
  const page = join(ROOT, 'docs/evidence/chaos.md')
  const table = renderTable(rows)
  process.stdout.write(`${table}\n`)
  for (const line of renderBroken(rows)) process.stdout.write(`${line}\n`)
  process.stdout.write(`seed ${seed}: npm run chaos -- --seed ${seed} --rounds ${rounds}\n`)
  if (values.write) writeReport(page, reportFor(page, rows), 'chaos')
  if (rows.some(isBroken)) process.exitCode = 1
}

/**
 * @param {import('./lab.mjs').Case} one
 * @returns {Promise<import('./table.mjs').Row>}
 */
async function rowOf(one) {
  const { name, promise, again = false } = one
  const counts = noCounts()
  const row = { name, promise, again, counts }
  const notRun = one.needs?.()
  if (notRun !== undefined) return { ...row, notRun }
  const directory = mkdtempSync(join(tmpdir(), 'ac-chaos-'))
  try {
    await one.run(makeLab({ directory, script: join(ROOT, 'dist/main.js'), rounds, seed }), counts)
  } catch (error) {
    counts.wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
  return row
}

/**
 * Runs a case in a process of its own that may mount disks, which nobody else sees and which end with it.
 * @param {import('./lab.mjs').Case} one
 * @returns {import('./table.mjs').Row}
 */
function rowInMounts(one) {
  const { name, promise, again = false } = one
  const why = mountsWhy()
  if (why !== undefined) return { name, promise, again, counts: noCounts(), notRun: why }
  const args = [
    fileURLToPath(import.meta.url),
    '--row',
    name,
    '--rounds',
    String(rounds),
    '--seed',
    String(seed),
  ]
  const [program = '', ...before] = unshared()
  const { stdout, stderr } = spawnSync(program, [...before, process.execPath, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  if (!stdout.startsWith('{')) throw new Error(`the case ${name} gave no row: ${stdout}${stderr}`)
  return JSON.parse(stdout)
}

/** @param {string} name */
function caseNamed(name) {
  const one = allCases().find((each) => each.name === name)
  if (one === undefined) throw new Error(`there is no case ${name}`)
  return one
}

/**
 * @param {string} option
 * @param {string} text
 */
function numberOf(option, text) {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${option} takes a number`)
  return Number(text)
}

/**
 * What goes into the page: all of it anew, or some rows in the place of what they were.
 * @param {string} page
 * @param {import('./table.mjs').Row[]} rows
 */
function reportFor(page, rows) {
  if (values.only.length === 0) return `${machine()}\n\n${renderTable(rows)}`
  const [, before = ''] = readFileSync(page, 'utf8').split('<!-- chaos: begin -->\n')
  const [head = '', ...rest] = (before.split('\n<!-- chaos: end -->')[0] ?? '').split('\n\n')
  const names = rows.map(({ name }) => name).join('; ')
  return `${head}\nMeasured after that, with \`--rounds ${rounds} --seed ${seed}\`: ${names}.\n\n${renderTable(rows, rest.join('\n'))}`
}

function machine() {
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, ${type()} ${release()} ${arch()}, Node ${process.version}; \`npm run chaos -- --rounds ${rounds} --seed ${seed}\`.`
}
