// npm run proof:native: the proofs of the project on the native program, after npm run build:native; each row goes into docs/evidence/native.md.
//   npm run proof:native             all of them, for hours
//   npm run proof:native -- chaos    those with this in their names; the other rows stay as they were
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeReport } from '../../bench/report.mjs'
import { NATIVE } from '../runtime.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
const PAGE = join(ROOT, 'docs', 'evidence', 'native.md')

/** What is run, by its name, and a line of what it says. @type {[name: string, command: string, said: RegExp][]} */
const PROOFS = [
  ['tests that start the program', 'npx vitest run --project process', /Tests\s.*/],
  ['the page and the tools', 'npx vitest run test/web test/mcp', /Tests\s.*/],
  // These two call functions, in the process of the tests: so the program runs the tests, as the Bun that it is.
  [
    'edges: files, locks, clocks, processes, terminals',
    'BUN_BE_BUN=1 native/agent-chat node_modules/vitest/vitest.mjs run src/system',
    /Tests\s.*/,
  ],
  [
    'fuzz: command lines, hooks, sequences',
    'FUZZ_RUNS=20 BUN_BE_BUN=1 native/agent-chat node_modules/vitest/vitest.mjs run test/fuzz',
    /Tests\s.*/,
  ],
  [
    'chaos: killed at each step',
    "npm run chaos -- --only 'kill at each step' --rounds 6",
    /\d+ of \d+ cases run, \d+ broken/,
  ],
  [
    'chaos: disk full',
    "npm run chaos -- --only 'disk full' --rounds 6",
    /\d+ of \d+ cases run, \d+ broken/,
  ],
  ['chaos: all, few rounds', 'npm run chaos -- --rounds 6', /\d+ of \d+ cases run, \d+ broken/],
  ['delivery on the real Claude Code, once', 'npm run e2e -- --once', /Tests\s.*/],
  ['guardrails on the real Claude Code, once', 'npm run e2e -- --once gate/cases', /Tests\s.*/],
  [
    'growth of workers, 12 minutes',
    'npm run soak:growth -- --minutes 12',
    /asks, and their right answers.*/,
  ],
]

const asked = process.argv.slice(2)
const sum = createHash('sha256').update(readFileSync(NATIVE)).digest('hex').slice(0, 12)
for (const [name, command, said] of PROOFS) {
  if (asked.length > 0 && !asked.some((part) => name.includes(part))) continue
  const began = performance.now()
  const { status, stdout } = spawnSync('sh', ['-c', command], {
    cwd: ROOT,
    env: { ...process.env, AGENT_CHAT_RUNTIME: 'native', NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = stdout.split('\n').findLast((one) => said.test(one))
  const result = said
    .exec(line ?? '')?.[0]
    .replaceAll('|', '')
    .replace(/\s+/g, ' ')
    .trim()
  const seconds = Math.round((performance.now() - began) / 1000)
  note(
    `| ${name} | \`${command}\` | ${status === 0 ? 'held' : '**failed**'} | ${result ?? ''} | ${seconds} s |`,
    name,
  )
  console.log(`${status === 0 ? 'held' : 'FAILED'} ${name}: ${result ?? ''} (${seconds} s)`)
  if (status === 0) continue
  console.log(stdout.slice(-6000))
  process.exitCode = 1
}

/** Puts a row in the place of the one of this name. @param {string} row @param {string} name */
function note(row, name) {
  const page = readFileSync(PAGE, 'utf8')
  const part = page.split('<!-- proof: begin -->')[1]?.split('<!-- proof: end -->')[0] ?? ''
  const rows = new Map(
    part
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| what'))
      .map((line) => [line.split(' | ')[0]?.slice(2) ?? '', line]),
  )
  rows.set(name, `${row.slice(0, -2)} | ${sum} |`)
  const order = PROOFS.flatMap(([one]) => rows.get(one) ?? [])
  const head = [
    '| what | command | outcome | it says | took | program |',
    '|---|---|---|---|---|---|',
  ]
  writeReport(PAGE, [...head, ...order].join('\n'), 'proof')
}
