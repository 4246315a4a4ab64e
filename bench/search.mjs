import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeHome } from './home.mjs'
import { cleanEnv, runOnce } from './process.mjs'
import { summarize } from './stats.mjs'

const HELP = `usage: node bench/search.mjs [options]

How long searches take, as whole processes: the first one, which reads every message, and those after it.

  --rounds <n>    searches of each kind, 20 by default
  --archive <n>   messages in the archive, 100000 by default
  --check         exit 1 where a search after the first takes more than a second, by more than the noise
`

/** The goal for every search but the first, in milliseconds. */
const LIMIT_MS = 1000

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    archive: { type: 'string', default: '100000' },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(HELP)
else await main()

async function main() {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-bench-'))
  try {
    const archive = Number(values.archive)
    const program = { script: join(ROOT, 'bin/agent-chat'), env: cleanEnv(directory) }
    const home = await makeHome(join(directory, 'home'), archive, program)
    const first = time(program.script, home, ['is new'])
    process.stdout.write(`${archive} messages\nfirst search  ${first.toFixed(0)} ms\n`)
    for (const { name, words, before } of searches(home)) {
      const taken = Array.from({ length: Number(values.rounds) }, () => {
        before?.()
        return time(program.script, home, words)
      })
      const { median, p25, p75, low } = summarize(taken)
      process.stdout.write(`${name}  ${median.toFixed(0)} ms (${p25.toFixed(0)}–${p75.toFixed(0)})\n`)
      if (values.check && low > LIMIT_MS) process.exitCode = 1
    }
    home.close()
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** @param {import('./home.mjs').Home} home */
function searches(home) {
  const rare = ['page=1767225661000']
  return [
    { name: 'one message matches', words: rare },
    { name: 'every message matches', words: ['tasks', 'last page'] },
    { name: 'none matches', words: ['nowhere'] },
    { name: 'a message came since', words: rare, before: () => void home.addUnread('reviewer') },
  ]
}

/**
 * @param {string} script
 * @param {import('./home.mjs').Home} home
 * @param {string[]} words
 */
function time(script, home, words) {
  return runOnce([script, 'search', ...words], { env: home.env }).ms
}
