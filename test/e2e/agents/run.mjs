// npm run e2e:agents: every case on the real clients, 10 times each; the rows go into docs/evidence/agents.md, beside those of other runs.
//   npm run e2e:agents -- --agent codex       one agent
//   npm run e2e:agents -- --only 'draft|list' cases by a part of their names
//   npm run e2e:agents -- --runs 3            so many times; fewer than 10 write no page
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const { values } = parseArgs({
  options: { agent: { type: 'string' }, only: { type: 'string' }, runs: { type: 'string' } },
})
const runs = Number(values.runs ?? 10)
const env = {
  // A session that runs these tests must not name itself to what is tested.
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) => !/^(AGENT_CHAT_|CLAUDE|TMUX|AI_AGENT$|NODE_EXTRA_CA_CERTS$)/.test(key),
    ),
  ),
  AGENT_CHAT_E2E_RUNS: String(runs),
  ...(runs >= 10 ? { AGENT_CHAT_E2E_WRITE: '1' } : {}),
  ...(values.agent ? { AGENT_CHAT_E2E_AGENT: values.agent } : {}),
  ...(values.only ? { AGENT_CHAT_E2E_ONLY: values.only } : {}),
}
const config = join('test', 'e2e', 'agents', 'vitest.config.mts')
const { status } = spawnSync(
  process.execPath,
  [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--config', config],
  { cwd: ROOT, env, stdio: 'inherit' },
)
process.exitCode = status ?? 1
