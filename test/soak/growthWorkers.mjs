// npm run soak:growth: a supervisor and its workers that are asked for a long time. Every ask has one answer, and nothing grows.
import { readdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { writePage } from './page.mjs'
import { judgeWorkers, renderGrowth } from './workers/growthPage.mjs'
import { idleCpu } from './workers/idle.mjs'
import { isSupervisor, isWorker, openPlace } from './workers/place.mjs'

const HELP = `usage: npm run soak:growth -- [options]          (Linux, with tmux; after npm run build)

  --minutes <n>   how long, 65 by default
  --every <s>     seconds between two asks, 4 by default
  --idle <n>      how many minutes it is looked at before, with nothing to do, 3 by default
  --json <file>   writes the samples into this file
  --write         puts the figures into docs/evidence/workers.md
`
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '65' },
    every: { type: 'string', default: '4' },
    idle: { type: 'string', default: '3' },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit(0)
}

// One that stays, and one that ends after 30 idle seconds and is started by its next message.
const place = openPlace(['stays', 'comes'], { comes: 'max_idle_seconds: 30' }, true)
const counts = { asked: 0, answered: 0 }
/** @type {import('./workers/growthPage.mjs').Sample[]} */
const samples = []
/** @type {number[]} */
const times = []
await place.fine('up')
const idle = await idleCpu(workersHere(), Number(values.idle))
console.log(JSON.stringify(idle))
const end = Date.now() + Number(values.minutes) * 60_000
let next = Date.now() + 60_000
for (let turn = 0; Date.now() < end; turn += 1) {
  // The second one is asked in one of ten turns: so it ends and comes back.
  await ask(turn % 10 === 9 ? 'comes' : 'stays', `w${turn}`)
  if (Date.now() >= next) {
    samples.push(await sample())
    console.log(JSON.stringify({ ...samples.at(-1), ...counts }))
    if (values.json) writeFileSync(values.json, JSON.stringify({ counts, idle, samples }, null, 1))
    next += 60_000
  }
  await new Promise((resolve) => setTimeout(resolve, Number(values.every) * 1000))
}
await place.fine('down')
const left = place.processes().length
const rows = judgeWorkers(samples)
const median = Math.round(times.sort((a, b) => a - b)[times.length >> 1] ?? 0)
const { minutes, every } = values
const summary = renderGrowth({ counts, samples, rows, idle, left, minutes, every, median })
console.log(summary)
if (values.write) writePage(summary, 'workers', 'growth')
const good = counts.asked === counts.answered && left === 0 && rows.every(({ grows }) => !grows)
place.close(!good)
process.exitCode = good ? 0 : 1

/** The processes that are looked at. */
function workersHere() {
  const all = place.processes()
  const supervisor = all.find(isSupervisor)
  const worker = all.find((one) => isWorker(one) && one.args.includes('stays'))
  if (!supervisor || !worker) throw new Error('no supervisor, or no worker')
  return { supervisor: supervisor.pid, worker: worker.pid }
}

/** @param {string} name @param {string} word */
async function ask(name, word) {
  const began = Date.now()
  const { code, stdout } = await place.run('ask', `@${name}`, `SAY ${word}`, '--as', 'human')
  counts.asked += 1
  counts.answered += code === 0 && stdout.includes(word) ? 1 : 0
  times.push(Date.now() - began)
}

/** See `Sample`. @returns {Promise<import('./workers/growthPage.mjs').Sample>} */
async function sample() {
  const all = place.processes()
  const { supervisor, worker } = workersHere()
  const home = readdirSync(place.home, { recursive: true, encoding: 'utf8' })
  return {
    minute: samples.length + 1,
    heap: { supervisor: await place.heap(supervisor), worker: await place.heap(worker) },
    files: all.reduce((sum, { pid }) => sum + openFiles(pid), 0),
    processes: all.length,
    entries: home.filter((path) => !/^(messages|inbox|threads)/.test(path)).length,
  }
}

/** @param {number} pid */
function openFiles(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}
