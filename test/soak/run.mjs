// npm run soak: sessions that send, read and are rung for a long time, with readers and watchers killed on the way. Nothing may be lost, and nothing grow.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'tsup'
import { randomFrom } from '../../scripts/random.mjs'
import { judgeGrowth } from './growth.mjs'
import { makeHome } from './home.mjs'
import { judgeHome } from './judge.mjs'
import { runLoad } from './load.mjs'
import { readToTheEnd, ringAll, sampled } from './looks.mjs'
import { writePage } from './page.mjs'
import { startWorker } from './processes.mjs'
import { renderSummary } from './summary.mjs'
import { startWatchers } from './watchers.mjs'

const HELP = `usage: npm run soak -- [options]          (Linux, with tmux; after npm run build)

  --sessions <n>   sessions, 20 by default
  --minutes <n>    how long, 30 by default
  --messages <n>   messages in that time, 20000 by default
  --seed <n>       what is random begins here; the seed is printed
  --keep           leave the home where it is
  --write          put the summary into docs/evidence/soak.md
`

/** What was CommonJS asks for its parts with this. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '30' },
    messages: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    keep: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(HELP)
else process.exitCode = await main()

async function main() {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-soak-'))
  const [sessions, messages, ms, seed] = [
    Number(values.sessions),
    Number(values.messages),
    Number(values.minutes) * 60_000,
    Number(values.seed),
  ]
  console.log(
    `soak: ${sessions} sessions, ${values.minutes} minutes, ${messages} messages; --seed ${seed}; in ${directory}`,
  )
  const worker = await buildWorker(directory)
  const home = makeHome(directory, sessions)
  const script = join(import.meta.dirname, '..', '..', 'dist', 'main.js')
  const watchers = startWatchers(script, home)
  const start = () => startWorker(worker, home.env)
  const [sender, reader] = [start(), start()]
  const [senders, readers] = [
    [sender, start()],
    [reader, start()],
  ]
  const clear = () => {
    home.close()
    if (!values.keep) rmSync(directory, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      clear()
      process.exit(130)
    })
  try {
    /** @type {import('./load.mjs').Done} */
    const done = {
      sent: new Map(),
      shown: new Map(),
      torn: [],
      failed: [],
      reads: 0,
      killed: [],
      commands: 0,
      commandMs: [],
    }
    const samples = await sampled(ms, { home, watchers, senders, done }, () =>
      runLoad(
        { home, script, senders, readers, watchers, messages, ms, random: randomFrom(seed) },
        done,
      ),
    )
    const lastBells = await ringAll(home, { watchers, sender, done, number: messages })
    await readToTheEnd(home, reader, done)
    await watchers.stop()
    const found = (await reader.ask({ do: 'sweep' })).findings
    const left = (await reader.ask({ do: 'sweep' })).findings
    const judged = judgeHome(home, done)
    const wrong = [
      ...judged.wrong,
      ...lastBells,
      ...left.map((/** @type {unknown} */ one) => `left after doctor: ${JSON.stringify(one)}`),
    ]
    const growth = judgeGrowth(samples, Number(values.minutes))
    const summary = renderSummary({
      sessions,
      messages,
      minutes: values.minutes,
      seed,
      done,
      watchers,
      judged,
      growth,
      samples,
      found,
      wrong,
    })
    console.log(`\n${summary}`)
    if (values.write) writePage(summary)
    return wrong.length > 0 || growth.some(({ grows }) => grows) ? 1 : 0
  } finally {
    await watchers.stop()
    await Promise.all([...senders, ...readers].map((one) => one.kill()))
    clear()
  }
}

/** The functions of the bus, in a program of their own. @param {string} directory */
async function buildWorker(directory) {
  const entry = { worker: join(import.meta.dirname, 'worker.ts') }
  const outDir = join(directory, 'worker')
  await build({
    config: false,
    entry,
    outDir,
    format: ['esm'],
    target: 'node20',
    noExternal: [/.*/],
    silent: true,
    splitting: false,
    banner: { js: REQUIRE },
    outExtension: () => ({ js: '.mjs' }),
  })
  return join(outDir, 'worker.mjs')
}
