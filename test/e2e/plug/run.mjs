// npm run demo:plug: pulls the plug on six agents at work, and brings them back. The real Claude Code and Codex, against scripted models:
// no key, no account. It leaves no file behind.
//   npm run demo:plug -- --runs 20    so many times
//   npm run demo:plug -- --ten        how long ten sessions take, by one command and one after the other
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..', '..', '..')
const { values } = parseArgs({ options: { runs: { type: 'string' }, ten: { type: 'boolean' } } })
const runs = Number(values.runs ?? 1)
if (!Number.isSafeInteger(runs) || runs < 1 || runs > 1000)
  throw new Error('--runs takes a number from 1')
// A session that shows this must not name itself to what is shown.
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([key]) => !/^(AGENT_CHAT_|CLAUDE|CODEX_|TMUX|AI_AGENT$|NODE_EXTRA_CA_CERTS$)/.test(key),
  ),
)
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const config = join('test', 'e2e', 'plug', 'vitest.config.mts')
const kept = mkdtempSync(join(tmpdir(), 'ac-plug-'))
const said = join(kept, 'said')

for (let run = 0; run < runs && process.exitCode === undefined; run += 1) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, 'run', '--config', config, `plug/${values.ten ? 'ten' : 'plug'}.demo.ts`],
    {
      ...{ cwd: root, env: { ...env, AC_PLUG_SAID: said } },
      ...{ encoding: 'utf8', maxBuffer: 1e8 },
    },
  )
  if (status !== 0) process.stderr.write(stdout + stderr)
  else process.stdout.write(readFileSync(said, 'utf8'))
  if (status !== 0) process.exitCode = 1
}
rmSync(kept, { recursive: true })
