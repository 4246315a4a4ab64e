// npm run e2e: every delivery case on the real Claude Code, 10 times each; the table goes to the screen and into docs/evidence/delivery.md.
//   npm run e2e -- --once            each case once, and no page is written
//   npm run e2e -- --runs 3          so many times
//   npm run e2e -- --idle            what a joined session costs in a quiet minute
//   npm run e2e -- --only '^idle '   cases by a part of their names
//   npm run e2e -- gate/cases        every case of the gate in every mode; the table goes into docs/evidence/gate.md
//   npm run e2e -- gate/cases --case background    of them those with such a name, and no table
//   npm run e2e -- gate/cases --mode auto          in that mode alone; the other columns stay
//   npm run e2e:room -- --write      the tables go into docs/evidence/room.md; with room/figures, how long things take
//   npm run e2e -- --once --room delivery/cases    every delivery case once, with the room inside Claude Code
//   npm run e2e -- --room            the room inside Claude Code, with the long cases (npm run e2e:room)
//   npm run e2e -- --claude 2.1.200 smoke   on another version of the client
//   npm run e2e -- smoke             another file of end-to-end tests
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeCases } from './room/cases.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    once: { type: 'boolean' },
    runs: { type: 'string' },
    idle: { type: 'boolean' },
    only: { type: 'string' },
    plugin: { type: 'string' },
    case: { type: 'string' },
    mode: { type: 'string' },
    claude: { type: 'string' },
    room: { type: 'boolean' },
    write: { type: 'boolean' },
  },
})
const runs = values.once ? '1' : (values.runs ?? '10')
if (!/^[1-9]\d{0,3}$/.test(runs)) throw new Error('--runs takes a number from 1')

// A part of the cases is no measurement of all of them.
const results =
  runs !== '1' && !values.only && !values.idle && positionals.length === 0
    ? mkdtempSync(join(tmpdir(), 'ac-results-'))
    : undefined
const env = {
  // A session that runs these tests must not name itself to what is tested; which runtime it is may be chosen.
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) =>
        key === 'AGENT_CHAT_RUNTIME' ||
        !/^(AGENT_CHAT_|CLAUDE|TMUX|AI_AGENT$|NODE_EXTRA_CA_CERTS$)/.test(key),
    ),
  ),
  AGENT_CHAT_E2E_RUNS: runs,
  ...(values.case ? { AGENT_CHAT_E2E_CASE: values.case } : {}),
  ...(values.mode ? { AGENT_CHAT_E2E_MODE: values.mode } : {}),
  ...(positionals.some((what) => what.startsWith('gate/cases')) && runs !== '1'
    ? { AGENT_CHAT_E2E_GATE_WRITE: '1' }
    : {}),
  ...(values.idle ? { AGENT_CHAT_E2E_IDLE: '1' } : {}),
  ...(values.claude ? { AGENT_CHAT_E2E_CLAUDE: values.claude } : {}),
  ...(values.room ? { AGENT_CHAT_E2E_ROOM: '1' } : {}),
  ...(values.room && values.write ? { AGENT_CHAT_E2E_ROOM_WRITE: '1' } : {}),
  ...(values.plugin ? { AGENT_CHAT_E2E_PLUGIN: values.plugin } : {}),
  ...(results ? { AGENT_CHAT_E2E_WRITE: results } : {}),
}
const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
const what =
  positionals.length > 0
    ? positionals
    : [values.room ? 'room/' : values.idle ? 'delivery/idle' : 'delivery/cases']
const args = [vitest, 'run', '--config', join('test', 'e2e', 'vitest.config.mts'), ...what]
const only = values.only ? ['-t', values.only] : []
const kept = values.room && values.write ? mkdtempSync(join(tmpdir(), 'ac-cases-')) : undefined
const json = kept && join(kept, 'report.json')
const reporters = json ? ['--reporter=default', '--reporter=json', `--outputFile.json=${json}`] : []
const { status } = spawnSync(process.execPath, [...args, ...only, ...reporters], {
  cwd: ROOT,
  env,
  stdio: 'inherit',
})
if (kept && json) {
  const pin = JSON.parse(readFileSync(join(ROOT, 'test', 'e2e', 'claude-version.json'), 'utf8'))
  writeCases(join(ROOT, 'docs', 'evidence', 'room.md'), values.claude ?? pin.version, json)
  rmSync(kept, { recursive: true })
}
if (results) rmSync(results, { recursive: true })
process.exitCode = status ?? 1
