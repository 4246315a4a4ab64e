import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureDisk } from './disk.mjs'
import { makeHome } from './home.mjs'
import { cleanEnv } from './process.mjs'
import { waitForQuiet } from './quiet.mjs'
import { missedLimits, renderReport, writeReport } from './report.mjs'
import { measureRing } from './ring.mjs'
import { floorRows, rowsOf } from './rows.mjs'
import { measureStartup } from './startup.mjs'

const HELP = `usage: npm run bench -- [options]

  --rounds <n>    rounds of every row, 60 by default
  --archive <n>   messages in the full archive, 100000 by default
  --root <path>   the folder with bin/ and dist/ to measure, this one by default
  --only <name>   this row alone, and not the doorbell; may be given again
  --quiet         before each row, wait for a moment when nothing else runs (Linux)
  --no-ring       leave out the doorbell, which needs tmux
  --write         put the results into docs/performance.md
  --check         exit 1 where a limit is missed by more than the noise
`

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '60' },
    archive: { type: 'string', default: '100000' },
    root: { type: 'string', default: ROOT },
    only: { type: 'string', multiple: true, default: [] },
    quiet: { type: 'boolean', default: false },
    'no-ring': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(HELP)
else if (values.write && values.only.length > 0) throw new Error('--write puts down every row: leave out --only')
else await main()

async function main() {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-bench-'))
  try {
    const results = await measure(directory)
    const report = renderReport(results)
    process.stdout.write(`${report}\n`)
    if (values.write) writeReport(join(ROOT, 'docs/performance.md'), report)
    const missed = missedLimits(results)
    for (const line of missed) process.stdout.write(`missed: ${line}\n`)
    if (values.check && missed.length > 0) process.exitCode = 1
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** @param {string} directory */
async function measure(directory) {
  const rounds = Number(values.rounds)
  const archive = Number(values.archive)
  const env = cleanEnv(directory)
  const program = { script: resolve(values.root, 'bin/agent-chat'), hook: resolve(values.root, 'dist/hook.js'), env }
  const disk = measureDisk(join(directory, 'disk'), 200)
  const { base, empty } = floorRows(directory, env)
  const small = await makeHome(join(directory, 'small'), 100, program)
  const rows = chosen([empty, ...rowsOf(small, program)])
  talk(`making a home with ${archive} messages`)
  const large = await makeHome(join(directory, 'large'), archive, program)
  const startup = measureStartup({
    base,
    small: rows,
    large: rowsOf(large, program),
    rounds,
    ready: values.quiet ? waitForQuiet : () => {},
    progress: (done) => talk(`round ${done} of ${rounds}`),
  })
  small.close()
  large.close()
  return { ...startup, disk, ring: await ringOrNot(directory, program), archive }
}

/**
 * The rows that `--only` names, or all of them.
 * @param {import('./rows.mjs').Row[]} rows
 */
function chosen(rows) {
  const names = rows.map(({ name }) => name)
  const unknown = values.only.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`there is no row "${unknown}", only: ${names.join(', ')}`)
  return values.only.length === 0 ? rows : rows.filter(({ name }) => values.only.includes(name))
}

/**
 * @param {string} directory
 * @param {{ script: string, env: NodeJS.ProcessEnv }} program
 */
async function ringOrNot(directory, program) {
  if (values['no-ring'] || values.only.length > 0) return undefined
  talk('ringing a pane')
  const ringing = join(directory, 'ring')
  mkdirSync(ringing)
  return measureRing({ directory: ringing, ...program, rounds: Number(values.rounds) })
}

/** @param {string} text */
function talk(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}
