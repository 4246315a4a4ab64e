import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import type { Bus } from '../../bus/bus.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { unreadIds } from '../../bus/mail/unread.ts'
import { unrungIds } from '../../session/rings.ts'
import { findProgram } from '../../system/programs.ts'
import { cleanEnv, DIST, outcome, type Run, runCli } from '../../testing/cli.ts'
import { tempBus, tempDirectory } from '../../testing/home.ts'
import { leftOut } from '../../testing/leftOut.ts'

const NO_PROC = process.platform !== 'linux' && 'without /proc nothing tells who reads a pipe'

const has = (program: string) => findProgram(program, process.env) !== undefined

/** A session with three messages that nobody has rung for yet. */
function world() {
  const bus = tempBus(['backend', 'frontend'])
  const send = (body: string) =>
    sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body }).message.id
  return { bus, ids: ['one', 'two\n'.repeat(30), 'three'].map(send) }
}

/** Runs a line in a shell, in which `agent-chat` is the built program. */
function runLine(bus: Bus, line: string, shell = 'sh'): Promise<Run> {
  const folder = tempDirectory()
  writeFileSync(join(folder, 'agent-chat'), '#!/bin/sh\nexec "$NODE" "$MAIN" "$@"\n', {
    mode: 0o755,
  })
  const env = cleanEnv({ home: bus.home.root, env: { AGENT_CHAT_NAME: 'frontend' } })
  const child = spawn(shell, ['-c', line], {
    cwd: folder,
    env: { ...env, PATH: `${folder}:${env.PATH}`, NODE: RUNTIME, MAIN: `${DIST}/main.js` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return outcome(child)
}

type Row = { line: string; shell?: string; by?: string; without?: string | false }

const without = (program: string) => !has(program) && `${program} is not installed`

const CUT: Row[] = [
  { line: 'agent-chat inbox | tail -20', by: 'tail' },
  { line: 'agent-chat inbox | head -50', by: 'head' },
  { line: 'agent-chat inbox | grep three', by: 'grep' },
  { line: 'agent-chat inbox | cat', by: 'cat' },
  { line: 'agent-chat inbox --json | cat', by: 'cat' },
  { line: 'agent-chat inbox 2>err | cat | cat; cat err >&2', by: 'cat' },
  { line: '(cd /; agent-chat inbox) | tail -3', by: 'tail' },
  { line: 'agent-chat inbox | (cd /; tail -3)' },
  { line: '{ echo; agent-chat inbox; } | tail -3', by: 'tail' },
  { line: 'agent-chat inbox | while read -r line; do echo "$line"; done' },
  { line: 'kept=$(agent-chat inbox | tail -3); echo "$kept"', by: 'tail' },
  { line: 'timeout 60 agent-chat inbox | tail -3', by: 'tail' },
  { line: 'setsid agent-chat inbox | tail -3', by: 'tail', without: without('setsid') },
  { line: 'mkfifo f; tail -3 <f & agent-chat inbox >f; wait', by: 'tail' },
  { line: 'agent-chat inbox > >(tail -3)', shell: 'bash', without: without('bash') },
  { line: 'cat <(agent-chat inbox); true', shell: 'bash', by: 'cat', without: without('bash') },
  {
    line: 'set -m; agent-chat inbox | tail -3',
    ...{ shell: 'bash', by: 'tail', without: without('bash') },
  },
  {
    line: 'shopt -s lastpipe; agent-chat inbox | while read -r line; do echo "$line"; done',
    ...{ shell: 'bash', by: 'bash', without: without('bash') },
  },
  { line: 'agent-chat inbox >&-', by: '/dev/null' },
  { line: 'agent-chat inbox >/dev/null', by: '/dev/null' },
]

describe('what a filter takes stays unread', leftOut(NO_PROC), () => {
  test.each(CUT.filter(({ without: why }) => !why))('$line', async ({ line, shell, by = '' }) => {
    const { bus, ids } = world()
    const { code, stderr } = await runLine(bus, line, shell)
    expect(code).toBe(0)
    expect(stderr).toMatch(/^agent-chat: the messages stay unread: the output went to [^\n]+\n$/)
    expect(stderr).toContain(`went to ${by}`)
    expect(unreadIds(bus.home, 'frontend')).toEqual(ids)
    expect(unrungIds(bus, 'frontend')).toEqual([])
    const next = await runCli(['inbox'], {
      home: bus.home.root,
      env: { AGENT_CHAT_NAME: 'frontend' },
    })
    expect(next.stdout).toMatch(/\none\n[\s\S]*\nthree\n/)
    expect(next.stderr).toBe('')
    expect(unreadIds(bus.home, 'frontend')).toEqual([])
  })

  test('a message that comes afterwards rings', async () => {
    const { bus } = world()
    await runLine(bus, 'agent-chat inbox | tail -3')
    const draft = { from: 'backend', to: 'frontend', kind: 'note', body: 'four' }
    const { id } = sendMessage(bus, draft).message
    expect(unrungIds(bus, 'frontend')).toEqual([id])
  })

  test('a person who looks at an inbox by a filter keeps nobody from being woken', async () => {
    const { bus, ids } = world()
    const line = 'unset AGENT_CHAT_NAME; agent-chat inbox frontend | tail -3'
    const { stderr } = await runLine(bus, line)
    expect(stderr).toContain('agent-chat inbox frontend\n')
    expect(unrungIds(bus, 'frontend')).toEqual(ids)
  })
})

const WHOLE: Row[] = [
  { line: 'agent-chat inbox' },
  { line: 'agent-chat inbox >file; cat file' },
  { line: 'echo "$(agent-chat inbox)"' },
  { line: '(cd /; agent-chat inbox)' },
  { line: "perl -e 'print `agent-chat inbox`'", without: without('perl') },
  { line: 'script -qec "agent-chat inbox" /dev/null </dev/null', without: without('script') },
  { line: 'echo x | agent-chat inbox' },
]

describe('what whoever asked gets whole is read', () => {
  test.each(WHOLE.filter(({ without: why }) => !why))('$line', async ({ line }) => {
    const { bus } = world()
    const { code, stdout, stderr } = await runLine(bus, line)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/\none\r?\n[\s\S]*\nthree\r?\n/)
    expect(unreadIds(bus.home, 'frontend')).toEqual([])
  })

  test('what could not be written stays unread, as before', async () => {
    const { bus, ids } = world()
    const { code } = await runLine(bus, 'agent-chat inbox >/dev/full')
    expect(code).toBe(1)
    expect(unreadIds(bus.home, 'frontend')).toEqual(ids)
  })

  test('--peek says nothing of a filter', async () => {
    const { bus, ids } = world()
    expect((await runLine(bus, 'agent-chat inbox --peek | tail -3')).stderr).toBe('')
    expect(unrungIds(bus, 'frontend')).toEqual(ids)
  })
})

describe('the answer of ask', leftOut(NO_PROC), () => {
  test.each([
    { line: 'agent-chat ask --resume "$ID" -t 5 | tail -1', left: 1 },
    { line: 'agent-chat ask --resume "$ID" -t 5 --json | cat', left: 1 },
    { line: 'agent-chat ask --resume "$ID" -t 5', left: 0 },
  ])('$line', async ({ line, left }) => {
    const bus = tempBus(['backend', 'frontend'])
    const question = { from: 'frontend', to: 'backend', kind: 'question', body: 'which?' }
    const asked = sendMessage(bus, question).message
    const backend = { home: bus.home.root, env: { AGENT_CHAT_NAME: 'backend' } }
    await runCli(['inbox'], backend)
    expect((await runCli(['reply', asked.id, 'that'], backend)).code).toBe(0)
    const { code, stderr } = await runLine(bus, `ID=${asked.id}; ${line}`)
    expect(code).toBe(0)
    expect(stderr).toMatch(left ? /^agent-chat: the message stays unread: [^\n]+\n$/ : /^$/)
    expect(unreadIds(bus.home, 'frontend')).toHaveLength(left)
    expect(unrungIds(bus, 'frontend')).toEqual([])
  })
})

test('200 rounds by file, terminal, capture and filter: none lost, none whole twice', async () => {
  const bus = tempBus(['backend', 'frontend'])
  const cut = 'agent-chat inbox | tail -20'
  const whole = WHOLE.filter(({ without: why }) => !why).slice(1)
  const lines = [...whole.map(({ line }) => line), ...(NO_PROC ? [] : [cut])]
  const shown: string[] = []
  for (let at = 0; at < 200; at++) {
    const body = `round ${at}.`
    sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body })
    const line = lines[at % lines.length] ?? ''
    const { code, stdout } = await runLine(bus, line)
    expect([line, code]).toEqual([line, 0])
    if (line !== cut) shown.push(...(stdout.match(/^round \d+\./gm) ?? []))
  }
  shown.push(...((await runLine(bus, 'agent-chat inbox')).stdout.match(/^round \d+\./gm) ?? []))
  expect(shown).toEqual(Array.from({ length: 200 }, (_, at) => `round ${at}.`))
}, 300_000)
