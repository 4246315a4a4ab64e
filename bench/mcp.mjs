// npm run bench:mcp: what a server of MCP costs: its start, a call of each tool, its memory, and the start of a real `claude -p` that has it. --write puts it into docs/evidence/mcp.md.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { makePlace, middle, PAGE, startServer } from '../test/soak/mcpServer.mjs'
import { clients } from './mcpClients.mjs'
import { waitForQuiet } from './quiet.mjs'
import { writeReport } from './report.mjs'

const STARTS = 15
const CALLS = 40
const CONSULTS = 12
const CLIENTS = 9
const LIMITS = { start: 120, call: 30, memory: 25, client: 150 }

/** A call of each tool that does not wait, by its number. @type {[string, (at: number) => object][]} */
const TOOLS = [
  ['send', (at) => ({ to: 'bob', message: `The contract is ready, ${at}.` })],
  ['inbox', () => ({})],
  ['assign_task', (at) => ({ to: 'bob', task: `Count the files, ${at}`, queue: true })],
  ['list_tasks', () => ({})],
  ['who', () => ({})],
  ['status', () => ({ name: 'bob' })],
  ['history', () => ({})],
  ['search', () => ({ words: ['contract'] })],
  ['escalate', (at) => ({ question: `Which, ${at}?`, options: ['this', 'that'] })],
  ['add_task', (at) => ({ title: `chore${at}` })],
  ['update_task', (at) => ({ task: `chore${at}`, priority: 'high' })],
  ['complete_task', (at) => ({ task: `chore${at}` })],
  ['delete_task', (at) => ({ task: `chore${at}`, confirm: true })],
]

/** @param {() => unknown} work */
async function timed(work) {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** From nothing to the answers of `initialize` and `tools/list`, and as much of Node alone. */
async function starts() {
  const place = makePlace()
  /** @type {{ first: number, bare: number, memory: number }[]} */
  const rounds = []
  for (let at = -1; at < STARTS; at += 1) {
    waitForQuiet()
    const bare = await timed(() => spawnSync(process.execPath, ['-e', '0'], { env: {} }))
    waitForQuiet()
    const began = performance.now()
    const server = startServer(place, 'alice')
    await server.hello()
    await server.ask('tools/list')
    const first = performance.now() - began
    if (at >= 0) rounds.push({ first, bare, memory: server.memory() })
    await server.end()
  }
  rmSync(place.root, { recursive: true })
  const of = (/** @type {'first' | 'bare' | 'memory'} */ key) =>
    middle(rounds.map((one) => one[key]))
  return { first: of('first'), bare: of('bare'), memory: of('memory') }
}

/** Every tool in turn, and what the server holds in the end. */
async function calls() {
  const place = makePlace()
  const alice = startServer(place, 'alice')
  await alice.hello()
  /** @type {Map<string, number[]>} */
  const took = new Map()
  const note = (/** @type {string} */ tool, /** @type {number} */ ms) =>
    took.set(tool, [...(took.get(tool) ?? []), ms])
  for (let at = 0; at < CALLS; at += 1) {
    for (const [tool, given] of TOOLS) {
      waitForQuiet()
      let answer
      const ms = await timed(async () => {
        answer = await alice.call(tool, given(at))
      })
      if (!Object(answer).success) throw new Error(`${tool}: ${JSON.stringify(answer)}`)
      note(tool, ms)
    }
  }
  const memory = alice.memory()
  await alice.end()
  rmSync(place.root, { recursive: true })
  for (let at = 0; at < CONSULTS; at += 1) {
    const { reply, consult } = await asked()
    note('reply', reply)
    note('consult', consult)
  }
  return { took, memory }
}

/** What a reply takes, and how long after it the one who consulted has it: each in a home of its own, because no person begins a turn in it. */
async function asked() {
  const place = makePlace()
  const [alice, bob] = [startServer(place, 'alice'), startServer(place, 'bob')]
  for (const one of [alice, bob]) await one.hello()
  waitForQuiet()
  const answer = alice.call('consult', { to: 'bob', question: 'Why?' })
  /** @type {string | undefined} */
  let id
  while (id === undefined) id = (await bob.call('inbox')).messages[0]?.short_id
  const reply = await timed(() => bob.call('reply', { id, message: 'Because.' }))
  const consult = await timed(() => answer)
  await Promise.all([alice.end(), bob.end()])
  rmSync(place.root, { recursive: true })
  return { reply, consult }
}

const { first, bare, memory } = await starts()
const { took, memory: after } = await calls()
const client = await clients(CLIENTS)
const slowest = Math.max(...[...took.values()].map((all) => middle(all)))
const one = (/** @type {number} */ value) => value.toFixed(1)
const more = client && client.withIt - client.without
/** @type {[string, string, number, number][]} */
const checks = [
  ['From the start of the process to the answer to `tools/list`', 'ms', first, LIMITS.start],
  ['The slowest tool, in the middle of its calls', 'ms', slowest, LIMITS.call],
  ['Private memory after `tools/list`', 'MB', memory, LIMITS.memory],
  [`Private memory after ${CALLS} calls of each tool`, 'MB', after, LIMITS.memory],
]
if (more !== undefined)
  checks.push(['`claude -p` is there later than without the server', 'ms', more, LIMITS.client])
const text = `${new Date().toISOString().slice(0, 10)}: Node ${process.version}, ${cpus().length} cores with a load of ${Math.round(loadavg()[0] ?? 0)} at its end. \`node -e 0\` takes ${one(bare)} ms here.
${client ? `Claude Code ${client.version} says that it is there after ${Math.round(client.without)} ms, and after ${Math.round(client.withIt)} ms with the server.` : 'Claude Code is not installed here; `npm run e2e -- smoke` installs it.'}

| | measured | limit |
|---|---|---|
${checks.map(([what, unit, value, limit]) => `| ${what} | ${one(value)} ${unit}${value > limit ? ' (missed)' : ''} | ${limit} ${unit} |`).join('\n')}

Middles of ${STARTS} starts, ${CALLS} calls of a tool (${CONSULTS} of \`reply\` and \`consult\`) and ${CLIENTS} clients. A consult\ncounts from the end of the reply to its answer.

| tool | a call, ms (middle) | 95 of 100 within, ms |
|---|---|---|
${[...took].map(([tool, all]) => `| \`${tool}\` | ${one(middle(all))} | ${one(middle(all, 0.95))} |`).join('\n')}`
console.log(text)
if (process.argv.includes('--write')) writeReport(PAGE, text, 'costs')
process.exitCode = checks.every(([, , value, limit]) => value <= limit) ? 0 : 1
