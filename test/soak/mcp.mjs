// One MCP server that is called 50,000 times: what it holds and how long it takes. `--write` puts it into docs/evidence/mcp.md.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const PAGE = 'docs/evidence/mcp.md'
const CALLS = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 50_000)
const STARTS = 15
const MAIN = join(import.meta.dirname, '../../dist/main.js')
const root = mkdtempSync(join(tmpdir(), 'agent-chat-mcp-'))
const home = join(root, 'home')
mkdirSync(home)
const session = (/** @type {string} */ name) => ({
  name,
  pane: null,
  joined_at: new Date().toISOString(),
})
writeFileSync(
  join(home, 'sessions.json'),
  JSON.stringify({ alice: session('alice'), bob: session('bob') }),
)

/** A server of one session. @param {string} name @param {string[]} argv */
function start(name, argv = [MAIN, 'mcp']) {
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    AGENT_CHAT_HOME: home,
    AGENT_CHAT_NAME: name,
    AGENT_CHAT_NOTIFY: 'off',
  }
  const child = spawn(process.execPath, argv, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  /** @type {((answer: any) => void)[]} */
  const waiting = []
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line)))
  let id = 0
  /** @param {string} method @param {object} [params] */
  const ask = (method, params = {}) =>
    new Promise((/** @type {(answer: any) => void} */ resolve) => {
      waiting.push(resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`)
    })
  return {
    ask,
    /** @param {string} tool @param {object} [given] */
    call: async (tool, given = {}) => {
      const _meta = { 'claudecode/toolUseId': `toolu_${name}_${id}` }
      return (await ask('tools/call', { name: tool, arguments: given, _meta })).result
        .structuredContent
    },
    memory: () => privateMb(child.pid ?? 0),
    end: () => {
      child.stdin.end()
      return new Promise((resolve) => child.on('close', resolve))
    },
  }
}

const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'soak', version: '1' },
}

/** @param {number} pid */
function privateMb(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kb = (/** @type {string} */ key) =>
    Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  return (kb('Private_Clean') + kb('Private_Dirty')) / 1024
}

const middle = (/** @type {number[]} */ all, part = 0.5) =>
  [...all].sort((a, b) => a - b)[Math.floor(all.length * part)] ?? 0
const ms = (/** @type {number} */ value) => value.toFixed(1)

/** What a call does, by its number. @type {[string, (at: number) => object][]} */
const MIX = [
  ['who', () => ({})],
  ['send', (at) => ({ to: 'bob', message: `message ${at}: ${'x'.repeat(at % 500)}` })],
  ['inbox', () => ({})],
  ['list_tasks', () => ({})],
  ['status', () => ({ name: 'bob' })],
  ['history', () => ({ count: 20 })],
  ['add_task', (at) => ({ title: `task ${at}` })],
  ['complete_task', (at) => ({ task: `${at - 1}` })],
  ['delete_task', (at) => ({ task: `${at - 2}`, confirm: true })],
  ['send', () => ({ to: 'bob', message: ' ' })],
]

async function starts() {
  const first = []
  const bare = []
  for (let at = 0; at < STARTS; at += 1) {
    let began = performance.now()
    const node = spawn(process.execPath, ['-e', '0'])
    await new Promise((resolve) => node.on('close', resolve))
    bare.push(performance.now() - began)
    began = performance.now()
    const server = start('alice')
    await server.ask('initialize', HELLO)
    await server.ask('tools/list')
    first.push(performance.now() - began)
    await server.end()
  }
  return { first: middle(first), bare: middle(bare) }
}

async function soak() {
  const alice = start('alice')
  const bob = start('bob')
  for (const one of [alice, bob]) await one.ask('initialize', HELLO)
  await alice.ask('tools/list')
  const rows = [{ calls: 0, memory: alice.memory(), half: 0, most: 0 }]
  /** @type {number[]} */
  let took = []
  for (let at = 0; at < CALLS; at += 1) {
    const [tool, given] = MIX[at % MIX.length] ?? ['who', () => ({})]
    // The messages are read, as they would be.
    if (tool === 'inbox') await bob.call('inbox')
    const began = performance.now()
    await alice.call(tool, given(at))
    took.push(performance.now() - began)
    if ((at + 1) % (CALLS / 10) !== 0) continue
    rows.push({
      calls: at + 1,
      memory: alice.memory(),
      half: middle(took),
      most: middle(took, 0.99),
    })
    console.log(JSON.stringify(rows.at(-1)))
    took = []
  }
  const log =
    statSync(join(home, 'logs/mcp.jsonl')).size +
    (statSync(join(home, 'logs/mcp.jsonl.1'), { throwIfNoEntry: false })?.size ?? 0)
  await Promise.all([alice.end(), bob.end()])
  return { rows, log }
}

try {
  const { first, bare } = await starts()
  const { rows, log } = await soak()
  const text = `# MCP: what a server costs

Written by \`npm run soak:mcp -- --write\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores, Node ${process.version}, Linux. A host's pipes, no model.

- Handshake and \`tools/list\`, from the start of the process: **${ms(first)} ms** (middle of ${STARTS}; \`node -e 0\` takes
  ${ms(bare)} ms here). Limit: 120 ms.
- ${CALLS.toLocaleString('en')} calls, one after the other: ${MIX.map(([tool]) => tool).join(', ')}, in turn; every answer was kept by its
  call's id. Limits: a call 30 ms, 25 MB private memory, and no growth.
- The log of the calls and the one before it: ${(log / 1024 / 1024).toFixed(1)} MB.

| calls | private memory, MB | a call, ms (middle) | 99 of 100 within, ms |
|---|---|---|---|
${rows.map(({ calls, memory, half, most }) => `| ${calls.toLocaleString('en')} | ${memory.toFixed(1)} | ${calls === 0 ? '' : ms(half)} | ${calls === 0 ? '' : ms(most)} |`).join('\n')}
`
  console.log(text)
  if (process.argv.includes('--write')) writeFileSync(PAGE, text)
} finally {
  rmSync(root, { recursive: true, force: true })
}
