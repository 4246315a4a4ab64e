// npm run soak: sessions that send, read and are rung for a long time, with readers and watchers killed on the way. Nothing may be lost, and nothing grow.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { build } from 'tsup'
import { randomFrom } from './bodies.mjs'
import { makeHome } from './home.mjs'
import { growthOf, judgeHome } from './judge.mjs'
import { noteShown, runLoad } from './load.mjs'
import { writePage } from './page.mjs'
import { look, startWorker } from './processes.mjs'
import { renderSummary } from './summary.mjs'
import { startWatchers } from './watchers.mjs'

const HELP = `usage: npm run soak -- [options]          (Linux, with tmux; after npm run build)

  --sessions <n>   sessions, 20 by default
  --minutes <n>    how long, 30 by default
  --messages <n>   messages in that time, 20000 by default
  --seed <n>       what is random begins here; the seed is printed
  --keep           leave the home where it is
  --write          put the summary into docs/soak.md
`

/** What was CommonJS asks for its parts with this. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`

/** So many looks in a run, a minute apart in one of 30 minutes. */
const LOOKS = 30

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
  const workers = Array.from({ length: 4 }, () => startWorker(worker, home.env))
  try {
    const [senders, readers] = [workers.slice(0, 2), workers.slice(2)]
    /** @type {import('./load.mjs').Done} */
    const done = {
      sent: new Map(),
      shown: new Map(),
      torn: [],
      failed: [],
      reads: 0,
      killedReads: 0,
      commands: 0,
      commandMs: [],
    }
    const samples = await sampled(ms, { watchers, senders, done }, () =>
      runLoad({ home, script, senders, readers, watchers, messages, ms, random: randomFrom(seed) }, done),
    )
    const lastBells = await ringAll(home, { watchers, sender: senders[0], done, number: messages })
    for (const name of home.names) noteShown(done, await readers[0].ask({ do: 'read', name }))
    await watchers.stop()
    const found = (await readers[0].ask({ do: 'sweep' })).findings
    const left = (await readers[0].ask({ do: 'sweep' })).findings
    const judged = judgeHome(home, done)
    const wrong = [
      ...judged.wrong,
      ...lastBells,
      ...left.map((/** @type {unknown} */ one) => `left after doctor: ${JSON.stringify(one)}`),
    ]
    const growth = [
      growthOf(
        'open files of a watcher',
        samples.map(({ files }) => files),
        { factor: 1, more: 1 },
      ),
      growthOf(
        'memory of a watcher, MB',
        samples.map(({ mb }) => mb),
        { factor: 1.1, more: 2 },
      ),
      growthOf(
        'open files of a sender',
        samples.map(({ senderFiles }) => senderFiles),
        { factor: 1, more: 1 },
      ),
      growthOf(
        'memory of a sender, MB',
        samples.map(({ senderMb }) => senderMb),
        { factor: 1.1, more: 5 },
      ),
    ]
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
    await Promise.all(workers.map((one) => one.kill()))
    home.close()
    if (!values.keep) rmSync(directory, { recursive: true, force: true })
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

/**
 * Runs the load, and looks at what runs beside it at even times.
 * @param {number} ms @param {any} what @param {() => Promise<void>} load
 */
async function sampled(ms, { watchers, senders, done }, load) {
  const samples = []
  let over = false
  const running = load().finally(() => {
    over = true
  })
  const began = performance.now()
  for (let at = 1; at <= LOOKS && !over; at += 1) {
    await Promise.race([pause(began + (at * ms) / LOOKS - performance.now()), running])
    const { alive, alone, files, mb, cpu } = watchers.sample()
    const held = look(senders[0].pid())
    samples.push({ files: files / alone, mb: mb / alone, cpu, senderFiles: held?.files ?? 0, senderMb: held?.mb ?? 0 })
    const minutes = ((performance.now() - began) / 60_000).toFixed(1)
    const unread = done.sent.size - done.shown.size
    console.log(
      `${minutes.padStart(5)} min: ${done.sent.size} sent, ${done.shown.size} shown, ${unread} not yet; ${done.reads} reads, ${done.killedReads} killed; ` +
        `${alive} watchers (${watchers.killed()} killed), each ${(files / alone).toFixed(1)} files, ${(mb / alone).toFixed(1)} MB; all ${cpu.toFixed(1)} s of CPU; ${watchers.rings()} rings`,
    )
  }
  await running
  return samples
}

/**
 * One more message to each session: every watcher, killed before or not, must ring for it. Gives what did not.
 * @param {import('./home.mjs').SoakHome} home @param {any} what
 */
async function ringAll(home, { watchers, sender, done, number }) {
  const { makeBody } = await import('./bodies.mjs')
  const { readFileSync } = await import('node:fs')
  const ids = new Map()
  for (const [at, to] of home.names.entries()) {
    const from = home.names[(at + 1) % home.names.length] ?? ''
    const { id } = await sender.ask({ do: 'send', from, to, body: makeBody(number + at, () => 0.5), urgent: false })
    done.sent.set(number + at, { id, from, to, urgent: false })
    ids.set(id, to)
  }
  const deadline = performance.now() + 40_000
  for (;;) {
    const rung = new Set(
      readFileSync(join(home.root, 'history.log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"rung"'))
        .slice(-500)
        .flatMap((line) => JSON.parse(line).ids),
    )
    const silent = [...ids].filter(([id]) => !rung.has(id))
    if (silent.length === 0) return []
    if (performance.now() > deadline || !watchers.alive())
      return silent.map(([id, to]) => `not rung: the last message to @${to}, ${id}`)
    await pause(200)
  }
}
