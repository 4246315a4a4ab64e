// npm run evidence:wakes: wakes and mailboxes on a bad day, on the real client: docs/evidence/wakes.md.
//   npm run evidence:wakes -- --runs 1       each row so many times, one after the other; 3 by default
//   npm run evidence:wakes -- --only Escape  rows by a part of their names, and no page is written
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stamp } from '../../../scripts/evidence.mjs'

const ROOT = join(import.meta.dirname, '..', '..', '..')

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, only: { type: 'string' } },
})
if (!/^[1-9]$/.test(values.runs)) throw new Error('--runs takes a number from 1 to 9')
const folder = mkdtempSync(join(tmpdir(), 'agent-chat-wakes-'))
const env = {
  // A session that runs these tests must not name itself to what is tested.
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) => !/^(AGENT_CHAT_|CLAUDE|TMUX|AI_AGENT$|NODE_EXTRA_CA_CERTS$)/.test(key),
    ),
  ),
  AGENT_CHAT_E2E_FOUND: join(folder, 'found.jsonl'),
  ...(values.only ? { AGENT_CHAT_E2E_CASE: values.only } : { AGENT_CHAT_E2E_WRITE: '1' }),
}

/** Plays every row once, and gives how that ended. */
function play() {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const config = join('test', 'e2e', 'wakes', 'vitest.config.mts')
  const args = [vitest, 'run', '--reporter=verbose', '--config', config]
  return spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1
}

try {
  const ends = Array.from({ length: Number(values.runs) }, play)
  if (!values.only) stamp('wakes')
  process.exitCode = Math.max(...ends)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
