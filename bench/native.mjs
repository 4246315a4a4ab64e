// What the native program costs beside Node, `sh` entry included: npm run bench:native -- --rounds 40 --write
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { NATIVE } from '../scripts/runtime.mjs'
import { firstHour } from './nativeFirst.mjs'
import { cleanEnv } from './process.mjs'
import { writeReport } from './report.mjs'
import { summarize } from './stats.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const ENTRY = join(ROOT, 'bin', 'agent-chat')
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '40' },
    write: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const directory = mkdtempSync(join(tmpdir(), 'agent-chat-native-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
const env = {
  AGENT_CHAT_NAME: 'frontend',
  ...cleanEnv(directory),
  AGENT_CHAT_HOME: join(directory, 'chat'),
  LANG: 'C.UTF-8',
}

/** What is measured: arguments of the entry, and the limit ÷ a bare node. */
const ROWS = [
  { name: 'send', args: ['send', '@backend', 'GET /tasks is ready'], limit: 0.85 },
  { name: 'inbox', args: ['inbox'], limit: 0.8 },
  { name: 'who', args: ['who'], limit: 0.8 },
  { name: 'history', args: ['history'], limit: 0.8 },
  { name: 'hook session-start', args: ['--hook', 'session-start'], limit: 0.5 },
  { name: 'hook pre-tool-use', args: ['--hook', 'pre-tool-use'], limit: 0.5 },
]
const PAYLOAD = JSON.stringify({
  session_id: 's1',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
})

/** Before there was an entry, Node was started by the command's first line, and by the hook itself. */
const WAYS = /** @type {const} */ ([
  'native, by the entry',
  'Node, by the entry',
  'Node, without it',
])

await main()

async function main() {
  for (const name of ['backend', 'frontend']) runHere(['join', name, '--no-watch'], 'node')
  spawnSync(ENTRY, ['setup', '--native', NATIVE], { env })
  const lines = []
  for (const row of ROWS) {
    /** @type {number[][]} */
    const ratios = WAYS.map(() => [])
    const cpu = { bare: 0, native: 0 }
    for (let round = -1; round < rounds; round += 1) {
      // A sender with more than 20 messages in 10 minutes is held: each has a few.
      env.AGENT_CHAT_NAME = row.name === 'send' ? `sender-${(round + 1) % 8}` : 'frontend'
      const start = ticks()
      const bare = timed(process.execPath, ['-e', '0'])
      const between = ticks()
      const first = timed(...argvOf(WAYS[0], row.args))
      cpu.bare += between - start
      cpu.native += ticks() - between
      const times = [first, ...WAYS.slice(1).map((way) => timed(...argvOf(way, row.args)))]
      if (round >= 0) for (const [at, ms] of times.entries()) ratios[at]?.push(ms / bare)
    }
    const [native, node, before] = ratios.map((ratio) => summarize(ratio).median.toFixed(2))
    const met = Number(native) <= row.limit ? '' : ' (missed)'
    const work = (cpu.native / cpu.bare).toFixed(2)
    lines.push(
      `| ${row.name} | **${native}**${met} | ${row.limit} | ${work} | ${node} | ${before} |`,
    )
  }
  const rates = [await rate('native'), await rate('node')].map((one) => Math.round(one))
  const first = [1, 2, 3].map(() => firstHour(packed())).toSorted((one, other) => one - other)
  const bytes = [statSync(NATIVE).size, gzipSync(readFileSync(NATIVE)).length]
  const [size, gzipped] = bytes.map((one) => Math.round(one / 1e6))
  const text = [
    `Node ${process.version.slice(1)}, ${cpus().length} cores; medians of ${rounds} rounds, each ÷ \`node -e 0\` of the same round. The machine had`,
    `a load of ${loadavg()[0]?.toFixed(1)} when they ended: above 2, time is mostly that of other programs, and CPU time says more.`,
    '',
    '| command | native, by the entry | limit | its CPU time | Node, by the entry | Node, without it |',
    '|---|---|---|---|---|---|',
    ...lines,
    '',
    `Eight senders through the command line: ${rates[0]} sends a second on the native program, ${rates[1]} on Node.`,
    `A first hour without Node (\`install.sh\`, \`setup\`, a ring through a real pane), the median of 3: ${first[1]?.toFixed(1)} s (limit 5 s).`,
    `The program has ${size} MB, ${gzipped} MB with gzip (limit 60 MB).`,
  ].join('\n')
  console.log(text)
  if (values.write) writeReport(join(ROOT, 'docs/evidence/native.md'), text, 'native')
}

/** CPU time of all that has ended below this process, in ticks of 10 ms. */
function ticks() {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[13]) + Number(fields[14])
}

/** A release of the program that is measured. */
function packed() {
  const folder = join(ROOT, 'native', 'packages')
  if (existsSync(join(folder, 'SHA256SUMS'))) return folder
  const made = spawnSync(process.execPath, ['scripts/native/pack.mjs'], { cwd: ROOT })
  if (made.status !== 0) throw new Error(`no packages: ${made.stderr}`)
  return folder
}

/** @param {string[]} args @param {string} runtime */
function runHere(args, runtime) {
  mkdirSync(env.AGENT_CHAT_HOME, { recursive: true, mode: 0o700 })
  spawnSync(ENTRY, args, { env: { ...env, AGENT_CHAT_RUNTIME: runtime } })
}

/** @param {typeof WAYS[number]} way @param {string[]} args @returns {[string, string[], string?]} */
function argvOf(way, args) {
  if (way !== 'Node, without it') return [ENTRY, args, way.startsWith('native') ? 'native' : 'node']
  return args[0] === '--hook'
    ? [process.execPath, [join(ROOT, 'dist/hook.cjs'), ...args.slice(1)]]
    : ['/usr/bin/env', ['node', join(ROOT, 'bin/on-node'), ...args]]
}

/** @param {string} program @param {string[]} args @param {string} [runtime] */
function timed(program, args, runtime = '') {
  const own = { ...env, AGENT_CHAT_RUNTIME: runtime }
  const began = process.hrtime.bigint()
  const { status, stderr } = spawnSync(program, args, { env: own, input: PAYLOAD })
  const ms = Number(process.hrtime.bigint() - began) / 1e6
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`)
  return ms
}

/** Sends in a second, of eight at once. @param {string} runtime */
async function rate(runtime) {
  const began = performance.now()
  let sent = 0
  const loop = async (/** @type {number} */ number) => {
    const own = { ...env, AGENT_CHAT_NAME: `sender-${number}`, AGENT_CHAT_RUNTIME: runtime }
    while (performance.now() - began < 5000) {
      const child = spawn(ENTRY, ['send', '@backend', 'x'], { env: own, stdio: 'ignore' })
      const [code] = await once(child, 'exit')
      if (code !== 0) throw new Error(`a send ended with ${code}`)
      sent += 1
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, at) => loop(at)))
  return (sent * 1000) / (performance.now() - began)
}
