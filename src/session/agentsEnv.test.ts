import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import type { ProcessInfo } from '../system/processes.ts'
import { cleanEnv, DIST, HOOK } from '../testing/cli.ts'
import { tempBus, tempDirectory } from '../testing/home.ts'
import { leftOut } from '../testing/leftOut.ts'
import { until } from '../testing/until.ts'
import { agentsEnv } from './agentsEnv.ts'
import { readState } from './stateFile.ts'

type Row = [command: string, args: string[], started: Record<string, string> | null]

/** What runs a hook, the nearest first. The client starts itself again, with what it has read. */
const SHELL: Row = ['sh', ['sh', '-c', 'hook'], { AGENT_CHAT_GATE: 'off' }]
const AGAIN: Row = ['MainThread', ['node', '--x', '/bin/gemini'], { AGENT_CHAT_GATE: 'off' }]
const FIRST: Row = ['node', ['node', '/bin/gemini'], { AGENT_CHAT_HOME: '/mine' }]
const PANE: Row = ['bash', ['-bash'], { AGENT_CHAT_GATE: 'off' }]

const counts = (rows: Row[], env: Record<string, string>) => {
  const find = (pid: number): ProcessInfo | undefined => {
    const row = pid === 1 ? ['node'] : rows[pid - 2]
    const parent = pid - 1 < rows.length ? pid + 1 : 0
    const ref = { pid, started: `s${pid}`, group: pid, foreground: -1 }
    return row && { ...ref, parent, command: String(row[0]) }
  }
  const looks = {
    argumentsOf: (pid: number) => rows[pid - 2]?.[1],
    environmentOf: (pid: number) => rows[pid - 2]?.[2] ?? undefined,
  }
  const processes = { self: () => ({ pid: 1, started: 's1' }), find }
  return agentsEnv(env, { name: 'gemini' }, processes, looks)
}

const OFF = { AGENT_CHAT_GATE: 'off', AGENT_CHAT_NAME: 'bob' }

test.each<[what: string, rows: Row[], env: Record<string, string>, counting: object]>([
  ['read from a file', [SHELL, FIRST, PANE], OFF, { AGENT_CHAT_NAME: 'bob' }],
  ['read before it started again', [SHELL, AGAIN, FIRST, PANE], OFF, { AGENT_CHAT_NAME: 'bob' }],
  ['claims too', [FIRST], { AGENT_CHAT_CLAIMS: 'off' }, {}],
  ['a home', [FIRST], { AGENT_CHAT_HOME: '/x' }, {}],
  ['what it was started with', [SHELL, AGAIN, PANE], OFF, OFF],
  ['one that no start is seen of', [['node', ['node', '/bin/gemini'], null]], OFF, OFF],
  ['another agent', [['codex', ['codex'], {}]], OFF, OFF],
  ['one below another shell of it', [AGAIN, SHELL, FIRST], OFF, OFF],
])('a variable counts or not: %s', (what, rows, env, counting) => {
  const home = rows.includes(FIRST) && !what.startsWith('one below')
  expect(counts(rows, env)).toEqual({ ...counting, ...(home && { AGENT_CHAT_HOME: '/mine' }) })
})

test.each([
  ['a `.env` of a project', {}, 'enforce'],
  ['you, where you started it', { AGENT_CHAT_GATE: 'off' }, 'off'],
])(
  'the gate of a Gemini CLI is off by %s, or not',
  leftOut(process.platform !== 'linux' && 'the shell of this system cannot be copied'),
  async (_, own, gate) => {
    const bus = tempBus()
    const dir = tempDirectory()
    copyFileSync(realpathSync('/bin/sh'), join(dir, 'gemini'))
    const waits = 'read -r line; eval "$line"; read -r line'
    const env = { ...cleanEnv({ home: bus.home.root }), AGENT_CHAT_NAME: 'bob', ...own }
    const stdio = ['pipe', 'ignore', 'ignore'] as const
    const child = spawn(join(dir, 'gemini'), ['-c', waits], { env, stdio: [...stdio] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const info = bus.processes.find(child.pid ?? 0)
    const agent = { pid: info?.pid, started: info?.started }
    writeFileSync(
      bus.home.sessions,
      JSON.stringify({ bob: { name: 'bob', agent, program: 'gemini' } }),
    )
    const hook = `"${RUNTIME}" "${DIST}/${HOOK}" session-start gemini`
    child.stdin?.write(`echo {} | AGENT_CHAT_GATE=off ${hook}; echo >${dir}/done\n`)
    await until('the hook to end', () => existsSync(`${dir}/done`))
    expect(readState(bus.home, 'bob')).toMatchObject({ gate })
  },
)
