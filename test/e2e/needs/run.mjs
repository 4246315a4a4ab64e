// npm run evidence:needs: brings the real Claude Code into each state in which it cannot go on without you, against a scripted model, and prints
// what every surface says of it and after how long. No key, no account. It leaves no file behind.
//   npm run evidence:needs -- --runs 10    so many times; the median is printed
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..', '..', '..')
const { values } = parseArgs({ options: { runs: { type: 'string' } } })
const runs = Number(values.runs ?? 1)
if (!Number.isSafeInteger(runs) || runs < 1 || runs > 1000)
  throw new Error('--runs takes a number from 1')
// A session that shows this must not name itself to what is shown.
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([key]) => !/^(AGENT_CHAT_|CLAUDE|TMUX|AI_AGENT$|NODE_EXTRA_CA_CERTS$)/.test(key),
  ),
)
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const config = join('test', 'e2e', 'needs', 'vitest.config.mts')
const kept = mkdtempSync(join(tmpdir(), 'ac-needs-'))
const said = join(kept, 'said')
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [vitest, 'run', '--config', config],
  {
    ...{ cwd: root, env: { ...env, AC_NEEDS_SAID: said, AC_NEEDS_RUNS: String(runs) } },
    ...{ encoding: 'utf8', maxBuffer: 1e8 },
  },
)
if (status === 0) process.stdout.write(readFileSync(said, 'utf8'))
else process.stderr.write(stdout + stderr)
rmSync(kept, { recursive: true })
process.exitCode = status === 0 ? 0 : 1
