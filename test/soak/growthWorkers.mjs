// npm run soak:growth: a supervisor and its workers that are asked for a long time. Every ask has one answer, and nothing grows.
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const HELP = `usage: npm run soak:growth -- [options]          (Linux; after npm run build)

  --minutes <n>   how long, 65 by default
  --every <s>     seconds between two asks, 4 by default
  --json <file>   writes the samples into this file
`
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '65' },
    every: { type: 'string', default: '4' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit(0)
}

const ROOT = join(import.meta.dirname, '..', '..')
const MAIN = join(ROOT, 'dist', 'main.js')
/** One that stays, and one that ends after 30 idle seconds and is started by its next message. */
const WORKERS = { stays: 'persistent: true', comes: 'max_idle_seconds: 30' }

const directory = mkdtempSync(join(tmpdir(), 'agent-chat-soak-'))
const bin = join(directory, 'bin')
const said = join(directory, 'said')
const cwd = join(directory, 'work')
const chat = join(directory, 'chat')
for (const part of [bin, said, cwd, join(chat, 'agents')]) mkdirSync(part, { recursive: true })
cpSync(join(ROOT, 'test', 'worker', 'client.mjs'), join(bin, 'claude'))
chmodSync(join(bin, 'claude'), 0o755)
for (const [name, line] of Object.entries(WORKERS))
  writeFileSync(
    join(chat, 'agents', `${name}.md`),
    `---\ncwd: ${cwd}\nauto_start: true\n${line}\n---\n# ${name}\n\n## Description\nSoaks.\n\n## Allowed Tools\n- read\n\n## System Prompt\nAnswer.\n`,
  )
const env = {
  PATH: `${bin}:${process.env.PATH}`,
  HOME: directory,
  AGENT_CHAT_HOME: chat,
  AGENT_CHAT_NOTIFY: 'off',
  STAND_IN_DIR: said,
  TMUX_TMPDIR: directory,
}
const chatNow = (/** @type {string[]} */ ...args) =>
  spawnSync(process.execPath, [MAIN, ...args], { env, cwd, encoding: 'utf8' })

/**
 * Runs an ask and gives whether its answer was the one that belongs to it, and how long it took.
 * @param {string} name
 * @param {string} word
 * @returns {Promise<{ ok: boolean, ms: number }>}
 */
function ask(name, word) {
  return new Promise((resolve) => {
    const began = Date.now()
    const child = spawn(
      process.execPath,
      [MAIN, 'ask', `@${name}`, `SAY ${word}`, '--as', 'human'],
      { env, cwd },
    )
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.on('close', (code) =>
      resolve({ ok: code === 0 && out.includes(word), ms: Date.now() - began }),
    )
  })
}

/** Every process of this home: what it is, its private and shared memory in kilobytes, and its open files. */
function processes() {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`AGENT_CHAT_HOME=${chat}`))
        return []
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      const what = ['up', 'work', 'watch'].find((word) => line.includes(word)) ?? line[0]
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
      const kb = (/** @type {string} */ key) =>
        Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(rollup)?.[1])
      return [{ what, pss: kb('Pss'), files: readdirSync(`/proc/${pid}/fd`).length }]
    } catch {
      return []
    }
  })
}

/** @param {{ pss: number, files: number }[]} list @param {'pss' | 'files'} key */
const sum = (list, key) => list.reduce((total, one) => total + one[key], 0)
const up = chatNow('up')
process.stdout.write(up.stdout + up.stderr)
const end = Date.now() + Number(values.minutes) * 60_000
const samples = []
const counts = { asked: 0, answered: 0 }
let times = []
let next = Date.now() + 60_000
for (let turn = 0; Date.now() < end; turn += 1) {
  // The second one is asked in one of ten turns: so it ends and comes back.
  const name = turn % 10 === 9 ? 'comes' : 'stays'
  const { ok, ms } = await ask(name, `w${turn}`)
  counts.asked += 1
  counts.answered += ok ? 1 : 0
  times.push(ms)
  if (Date.now() >= next) {
    const all = processes()
    const of = (/** @type {string} */ what) => all.filter((one) => one.what === what)
    const home = readdirSync(chat, { recursive: true, encoding: 'utf8' }).filter(
      (path) => !/^(messages|inbox|threads)/.test(path),
    )
    samples.push({
      minute: samples.length + 1,
      supervisor: sum(of('up'), 'pss'),
      workers: sum(of('work'), 'pss'),
      all: sum(all, 'pss'),
      files: sum(all, 'files'),
      processes: all.length,
      entries: home.length,
      ask: times.sort((a, b) => a - b)[times.length >> 1],
    })
    console.log(JSON.stringify({ ...samples.at(-1), ...counts }))
    if (values.json) writeFileSync(values.json, JSON.stringify({ counts, samples }, null, 1))
    times = []
    next += 60_000
  }
  await new Promise((resolve) => setTimeout(resolve, Number(values.every) * 1000))
}
const down = chatNow('down')
process.stdout.write(down.stdout + down.stderr)
console.log(
  `${counts.asked} asks, ${counts.answered} answered; left over: ${processes().length} processes`,
)
if (counts.asked === counts.answered) rmSync(directory, { recursive: true })
process.exitCode = counts.asked === counts.answered ? 0 : 1
