// npm run soak:mcp: one MCP server that is called 50,000 times (or the number given): what it holds and how long it takes. --write puts it into docs/evidence/mcp.md.
import { rmSync, statSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { writeReport } from '../../bench/report.mjs'
import { makePlace, middle, PAGE, startServer } from './mcpServer.mjs'

const CALLS = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 50_000)
const MOST_MB = 25
/** From the first tenth of the calls on, when all of the program was used. */
const MOST_GROWTH_MB = 2

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

/** @param {import('./mcpServer.mjs').Place} place */
async function soak(place) {
  const alice = startServer(place, 'alice')
  const bob = startServer(place, 'bob')
  for (const one of [alice, bob]) await one.hello()
  await alice.ask('tools/list')
  const rows = [{ calls: 0, memory: alice.memory(), half: 0, most: 0 }]
  /** @type {number[]} */
  let took = []
  let failed = 0
  for (let at = 0; at < CALLS; at += 1) {
    const [tool, given] = MIX[at % MIX.length] ?? ['who', () => ({})]
    // The messages are read, as they would be.
    if (tool === 'inbox') await bob.call('inbox')
    const began = performance.now()
    const { success } = await alice.call(tool, given(at))
    took.push(performance.now() - began)
    if (success !== (at % MIX.length !== MIX.length - 1)) failed += 1
    if ((at + 1) % (CALLS / 10) !== 0) continue
    const [half, most] = [middle(took), middle(took, 0.99)]
    rows.push({ calls: at + 1, memory: alice.memory(), half, most })
    console.log(JSON.stringify(rows.at(-1)))
    took = []
  }
  const size = (/** @type {string} */ file) =>
    statSync(join(place.home, 'logs', file), { throwIfNoEntry: false })?.size ?? 0
  const log = (size('mcp.jsonl') + size('mcp.jsonl.1')) / 1024 / 1024
  await Promise.all([alice.end(), bob.end()])
  return { rows, failed, log }
}

const place = makePlace()
try {
  const { rows, failed, log } = await soak(place)
  const memory = rows.map((row) => row.memory)
  const growth = (memory.at(-1) ?? 0) - (memory[1] ?? 0)
  const most = Math.max(...memory)
  const isGood = failed === 0 && most <= MOST_MB && growth <= MOST_GROWTH_MB
  const one = (/** @type {number} */ value) => value.toFixed(1)
  const ms = (/** @type {typeof rows[number]} */ { calls, half, most }) =>
    calls === 0 ? ' | | ' : ` | ${one(half)} | ${one(most)} `
  const table = rows.map(
    (row) => `| ${row.calls.toLocaleString('en')} | ${one(row.memory)}${ms(row)}|`,
  )
  const text = `${new Date().toISOString().slice(0, 10)}: Node ${process.version}, Linux, ${cpus().length} cores with a load of ${Math.round(loadavg()[0] ?? 0)} at its end.

${rows.at(-1)?.calls.toLocaleString('en')} calls of one server, one after the other:
${MIX.map(([tool]) => tool).join(', ')} in turn.
The last one is a send that is refused. Every answer was kept by its call's id. Unexpected answers: ${failed}.

- Private memory at most **${one(most)} MB**; limit ${MOST_MB} MB. Growth since the first tenth: **${one(growth)} MB**; limit
  ${MOST_GROWTH_MB} MB.
- The log of the calls and the one before it: ${one(log)} MB.

| calls | private memory, MB | a call, ms (middle) | 99 of 100 within, ms |
|---|---|---|---|
${table.join('\n')}`
  console.log(text)
  if (process.argv.includes('--write')) writeReport(PAGE, text, 'soak')
  process.exitCode = isGood ? 0 : 1
} finally {
  rmSync(place.root, { recursive: true, force: true })
}
