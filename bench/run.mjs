import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { GROUPS } from './groups.mjs'
import { commandLine, commitOf } from './origin.mjs'
import { cleanEnv, entryOf, hookOf } from './process.mjs'
import { waitForQuiet } from './quiet.mjs'
import { missedLimits, overLimits, renderReport, writeReport } from './report.mjs'
import { worlds } from './worlds.mjs'

const HELP = `usage: npm run bench -- [options]

  --group <name>     this group alone; may be given again: ${Object.keys(GROUPS).join(', ')}
  --only <row>       this row of the startup group alone; may be given again
  --rounds <n>       rounds of every row, 50 by default
  --archive <n>      messages in the full archive, 100000 by default
  --archive-max <n>  the most messages that the growth group goes up to, in steps of ten, 100000 by default
  --dir <path>       where to make the homes to measure in, a temporary directory by default
  --root <path>      the folder with bin/ and dist/ to measure, this one by default
  --quiet            before each row, wait for a moment when nothing else runs (Linux)
  --no-ring          leave out the doorbells
  --write            put the results into docs/evidence/performance.md
  --check            exit 1 where a limit is missed by more than the noise
`

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

const { values } = parseArgs({
  options: {
    group: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '50' },
    archive: { type: 'string', default: '100000' },
    'archive-max': { type: 'string', default: '100000' },
    dir: { type: 'string', default: tmpdir() },
    root: { type: 'string', default: ROOT },
    quiet: { type: 'boolean', default: false },
    'no-ring': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(HELP)
else await main(groupsOf(values))

/** @param {string[]} groups */
async function main(groups) {
  const directory = mkdtempSync(join(resolve(values.dir), 'agent-chat-bench-'))
  const env = cleanEnv(directory)
  // What is committed while it runs was not measured.
  const run = {
    directory,
    command: commandLine(process.argv.slice(2)),
    commit: commitOf(values.root),
  }
  const program = {
    script: entryOf(resolve(values.root)),
    hook: hookOf(resolve(values.root)),
    env,
  }
  const { world, close } = worlds(directory, program)
  const plan = {
    ...{ directory, program, world, say },
    ...{
      rounds: Number(values.rounds),
      archive: Number(values.archive),
      archiveMax: Number(values['archive-max']),
    },
    ...{ only: values.only, ready: values.quiet ? waitForQuiet : () => {} },
  }
  // Also where it is ended in the middle: its files are many.
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
  const parts = []
  for (const group of groups) parts.push(await (await GROUPS[group]?.())?.(plan))
  close()
  report(
    parts.filter((part) => part !== undefined),
    run,
  )
}

/**
 * @param {import('./group.mjs').Part[]} parts
 * @param {Parameters<typeof renderReport>[1]} run
 */
function report(parts, run) {
  const text = renderReport(parts, run)
  say('')
  process.stdout.write(`${text}\n`)
  if (values.write) writeReport(join(ROOT, 'docs/evidence/performance.md'), text)
  for (const line of overLimits(parts)) process.stdout.write(`over: ${line}\n`)
  const missed = missedLimits(parts)
  for (const line of missed) process.stdout.write(`missed: ${line}\n`)
  if (values.check && missed.length > 0) process.exitCode = 1
}

/**
 * The groups that were asked for, in their own order. Results are written for all rows or for none.
 * @param {{ group: string[], only: string[], write: boolean, 'no-ring': boolean }} asked
 */
function groupsOf({ group, only, write, 'no-ring': noRing }) {
  const all = Object.keys(GROUPS)
  const unknown = group.find((name) => !all.includes(name))
  if (unknown !== undefined)
    throw new Error(`there is no group "${unknown}", only: ${all.join(', ')}`)
  const some = only.length > 0 ? ['startup'] : group
  if (write && some.length > 0)
    throw new Error('--write puts down every row: leave out --only and --group')
  return all.filter(
    (name) => (some.length === 0 || some.includes(name)) && !(noRing && name === 'ring'),
  )
}

/** @param {string} text */
function say(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}
