// npm run evidence:trust: who may change things, by who spoke, on the real client: docs/evidence/trust.md.
//   npm run evidence:trust -- --runs 1       each cell so many times, side by side; 3 by default
//   npm run evidence:trust -- --busy         beside two busy loops; the page has a table of its own for that
//   npm run evidence:trust -- --only '^You'  rows by a part of their names, and no page is written
//   npm run evidence:trust -- --part unguarded   only the sessions whose guardrails do not run; or: matrix
//   npm run evidence:trust -- --record       each origin once, into test/origins/recorded.json; --only keeps the others
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stamp } from '../../../scripts/evidence.mjs'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const LOOP = 'const end = Date.now() + 36_000_000; while (Date.now() < end);'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    busy: { type: 'boolean', default: false },
    only: { type: 'string' },
    record: { type: 'boolean', default: false },
    part: { type: 'string', default: '' },
  },
})
if (!/^[1-9]$/.test(values.runs)) throw new Error('--runs takes a number from 1 to 9')
const folder = mkdtempSync(join(tmpdir(), 'agent-chat-trust-'))
const isPage = !values.only && !values.record
const env = {
  // A session that runs these tests must not name itself to what is tested.
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) => !/^(AGENT_CHAT_|CLAUDE|TMUX|AI_AGENT$|NODE_EXTRA_CA_CERTS$)/.test(key),
    ),
  ),
  // The copy of the plugin has the panel.
  AGENT_CHAT_E2E_ROOM: '1',
  AGENT_CHAT_E2E_FOUND: join(folder, 'found.jsonl'),
  AGENT_CHAT_E2E_ENDED: join(folder, 'ended.jsonl'),
  ...(values.only ? { AGENT_CHAT_E2E_CASE: values.only } : {}),
  ...(values.record ? { AGENT_CHAT_E2E_RECORD: '1' } : {}),
  ...(isPage ? { AGENT_CHAT_E2E_WRITE: values.busy ? 'busy' : 'alone' } : {}),
}
const loops = Array.from({ length: values.busy ? 2 : 0 }, () =>
  spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }),
)
const stop = () => {
  for (const loop of loops) loop.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    stop()
    process.exit(130)
  })

/** Plays every cell once, and gives how that ended. */
function play() {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const config = join('test', 'e2e', 'trust', 'vitest.config.mts')
  // Only what is said of a prompt is recorded; what does not run is played alone.
  const file = values.record || values.busy ? 'matrix' : values.part
  const args = [vitest, 'run', '--reporter=verbose', '--config', config, ...(file ? [file] : [])]
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return new Promise((resolve) => child.once('exit', (status) => resolve(status ?? 1)))
}

try {
  const runs = values.record ? 1 : Number(values.runs)
  const ends = await Promise.all(Array.from({ length: runs }, play))
  if (isPage) stamp('trust')
  process.exitCode = Math.max(...ends)
} finally {
  stop()
}
