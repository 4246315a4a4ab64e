import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeHome } from './home.mjs'
import { cleanEnv, entryOf, runOnce } from './process.mjs'
import { summarize } from './stats.mjs'

const HELP = `usage: node bench/search.mjs [options]

How long searches take, as whole processes, beside node -e 0.

  --rounds <n>    searches of each kind, 20 by default
  --archive <n>   messages in the archive, 1000, 5000 and 20000 by default; may be given more than once
  --check         exit 1 where one of 20000 messages or less takes more than half a second, by more than
                  the noise
`

/** The goal for a search of this many messages of which none matches, in milliseconds. */
const LIMIT = { messages: 20_000, ms: 500 }

const SEARCHES = [
  { name: 'every message matches', words: ['tasks', 'last page'] },
  { name: 'one message matches', words: ['page=1767225661000'] },
  { name: 'none matches', words: ['nowhere'] },
]

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    archive: { type: 'string', multiple: true, default: ['1000', '5000', '20000'] },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(HELP)
else for (const archive of values.archive) await measure(Number(archive))

/** @param {number} archive */
async function measure(archive) {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-bench-'))
  try {
    const program = { script: entryOf(ROOT), env: cleanEnv(directory) }
    const home = await makeHome(join(directory, 'home'), archive, program)
    const rounds = Array.from({ length: Number(values.rounds) })
    const nothing = summarize(rounds.map(() => runOnce(['-e', '0'], { env: home.env }).ms))
    process.stdout.write(`${archive} messages\nnode -e 0  ${nothing.median.toFixed(0)} ms\n`)
    for (const { name, words } of SEARCHES) {
      const time = () => runOnce([program.script, 'search', ...words], { env: home.env }).ms
      const { median, p25, p75, low } = summarize(rounds.map(time))
      process.stdout.write(
        `${name}  ${median.toFixed(0)} ms (${p25.toFixed(0)}–${p75.toFixed(0)}), ${(median / nothing.median).toFixed(1)}\n`,
      )
      if (values.check && archive <= LIMIT.messages && low > LIMIT.ms) process.exitCode = 1
    }
    home.close()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
