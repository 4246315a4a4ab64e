// npm run demo:plug: pulls the plug on six agents at work, and brings them back. The real Claude Code and Codex, against scripted models:
// no key, no account. It leaves no file behind.
//   npm run demo:plug -- --runs 20    so many times
//   npm run demo:plug -- --picture    draws docs/pictures/plug.svg
//   npm run demo:plug -- --ten        how long ten sessions take, by one command and one after the other
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** A test ends by itself before that. In milliseconds. */
const LIMIT_MS = 900_000

const root = join(import.meta.dirname, '..', '..', '..')
const { values } = parseArgs({
  options: { runs: { type: 'string' }, ten: { type: 'boolean' }, picture: { type: 'boolean' } },
})
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
const picture = values.picture ? join(root, 'docs', 'pictures', 'plug.svg') : ''

for (let run = 0; run < runs && process.exitCode === undefined; run += 1) {
  // Into a file: what still runs when vitest has ended holds no pipe open.
  const log = openSync(join(kept, 'log'), 'w')
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--config', config, `plug/${values.ten ? 'ten' : 'plug'}.demo.ts`],
    {
      ...{ cwd: root, env: { ...env, AC_PLUG_SAID: said, AC_PLUG_PICTURE: picture } },
      ...{ stdio: ['ignore', log, log], timeout: LIMIT_MS, killSignal: 'SIGKILL' },
    },
  )
  closeSync(log)
  if (status !== 0) process.stderr.write(readFileSync(join(kept, 'log')))
  else process.stdout.write(readFileSync(said, 'utf8'))
  if (status !== 0) process.exitCode = 1
}
rmSync(kept, { recursive: true })
