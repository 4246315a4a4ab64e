import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import type { Bus } from '../bus/bus.ts'
import { readArchived } from '../bus/mail/archive.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { unreadIds } from '../bus/mail/unread.ts'
import { claimRing, settleRing, unrungIds } from '../session/rings.ts'
import { readState } from '../session/stateFile.ts'
import { agentsOn, type TestAgent } from '../testing/agent.ts'
import { cleanEnv, DIST, outcome, type Run } from '../testing/cli.ts'
import { tempDirectory } from '../testing/home.ts'
import { leftOut } from '../testing/leftOut.ts'
import { until } from '../testing/until.ts'

const NO_PROC = process.platform !== 'linux' && 'the words of a process are read from /proc'

/** Fields of a payload of a subagent's call, as Claude Code 2.1.329 gives them. */
const SUBAGENT = { agent_id: 'a8dbd7', agent_type: 'general-purpose' }

/** Runs a command as Claude Code's Bash does. */
function bash({ home }: Bus, command: string): Promise<Run> {
  const folder = tempDirectory()
  const program = '#!/bin/sh\nexec "$NODE" "$MAIN" "$@"\n'
  writeFileSync(join(folder, 'agent-chat'), program, { mode: 0o755 })
  writeFileSync(join(folder, 'look.sh'), 'agent-chat inbox\n')
  const env = cleanEnv({ home: home.root, env: { AGENT_CHAT_NAME: 'frontend' } })
  const quoted = `'${command.replaceAll("'", `'"'"'`)}'`
  const line = `source ./none 2>/dev/null || true && eval ${quoted} && pwd -P >| ${folder}/cwd`
  const child = spawn('bash', ['-c', line], {
    cwd: folder,
    env: { ...env, PATH: `${folder}:${env.PATH}`, NODE: RUNTIME, MAIN: `${DIST}/main.js` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return outcome(child)
}

const calls = ({ home }: Bus) => readState(home, 'frontend')?.calls ?? []

async function world(): Promise<{ bus: Bus; frontend: TestAgent; id: string }> {
  const { bus, agents } = await agentsOn('frontend', 'backend')
  const frontend = agents[0] as TestAgent
  await frontend.human()
  const draft = { from: 'backend', to: 'frontend', kind: 'note', body: 'the port is 8080' }
  return { bus, frontend, id: sendMessage(bus, draft).message.id }
}

const STAYS =
  /^agent-chat: the message stays unread: a subagent of @frontend reads here; [^\n]+: agent-chat inbox\n$/

describe("a subagent's inbox", leftOut(NO_PROC), () => {
  test.each([
    'agent-chat inbox',
    'agent-chat inbox --json',
    'agent-chat inbox --full',
    'agent-chat inbox frontend 2>&2',
    'cd / && agent-chat inbox',
    'sh look.sh',
    "sh -c 'agent-chat inbox'",
    'echo "$(agent-chat inbox)"',
    'timeout 60 agent-chat inbox',
    'agent-chat \\\n  inbox',
    'AGENT_CHAT_NAME=frontend agent-chat inbox',
  ])('%s is shown, and stays unread', async (command) => {
    const { bus, frontend, id } = await world()
    expect(await frontend.may('Bash', { command }, SUBAGENT)).toBe('pass')
    const { code, stdout, stderr } = await bash(bus, command)
    expect(code).toBe(0)
    expect(stdout).toContain('the port is 8080')
    expect(stderr).toMatch(STAYS)
    expect(unreadIds(bus.home, 'frontend')).toEqual([id])
    await frontend.did('Bash', { command }, SUBAGENT)
    await until('the call to be forgotten', () => calls(bus).length === 0)
    // The same words of the main conversation are its own.
    expect((await bash(bus, command)).stderr).toBe('')
    expect(unreadIds(bus.home, 'frontend')).toEqual([])
  })

  test('it rings as it would without, and not again', async () => {
    const { bus, frontend, id } = await world()
    const look = async () => {
      await frontend.may('Bash', { command: 'agent-chat inbox' }, SUBAGENT)
      await bash(bus, 'agent-chat inbox')
      return unrungIds(bus, 'frontend')
    }
    expect(await look()).toEqual([id])
    settleRing(bus, 'frontend', 'native', claimRing(bus, 'frontend', 'native'), true)
    expect(await look()).toEqual([])
  })

  test('--peek says nothing of it', async () => {
    const { bus, frontend } = await world()
    await frontend.may('Bash', { command: 'agent-chat inbox --peek' }, SUBAGENT)
    expect((await bash(bus, 'agent-chat inbox --peek')).stderr).toBe('')
  })
})

describe('the main conversation reads', leftOut(NO_PROC), () => {
  const OTHER = 'agent-chat inbox --json'
  test.each<[string, (frontend: TestAgent) => Promise<unknown>]>([
    [
      'beside a subagent of another command',
      (one) => one.may('Bash', { command: OTHER }, SUBAGENT),
    ],
    [
      'after a call of the same command that was refused, or whose end nobody told',
      async (one) => {
        await one.may('Bash', { command: 'agent-chat inbox' }, SUBAGENT)
        await one.may('Bash', { command: 'agent-chat inbox' })
      },
    ],
    [
      'beside a subagent that reads a file',
      (one) => one.may('Read', { file_path: '/x' }, SUBAGENT),
    ],
  ])('%s', async (_, before) => {
    const { bus, frontend } = await world()
    await before(frontend)
    const { stdout, stderr } = await bash(bus, 'agent-chat inbox')
    expect({ shown: stdout.includes('8080'), stderr }).toEqual({ shown: true, stderr: '' })
    expect(unreadIds(bus.home, 'frontend')).toEqual([])
  })
})

test('a command that goes on in the background is still its subagent’s', async () => {
  const { bus, frontend } = await world()
  const call = { command: 'agent-chat inbox' }
  await frontend.may('Bash', call, SUBAGENT)
  await frontend.did('Bash', call, { ...SUBAGENT, tool_response: { backgroundTaskId: 'b1' } })
  expect(calls(bus)).toHaveLength(1)
})

describe('what a subagent sends', leftOut(NO_PROC), () => {
  test.each([
    ['by its type', SUBAGENT, 'general-purpose'],
    ['by its id, where it has no type', { agent_id: 'a8dbd7' }, 'a8dbd7'],
    ['of the main conversation', {}, undefined],
  ])('%s', async (_, more, subagent) => {
    const { bus, frontend } = await world()
    const command = 'agent-chat send @backend "the tests pass"'
    await frontend.may('Bash', { command }, more)
    expect((await bash(bus, command)).code).toBe(0)
    const [id = ''] = unreadIds(bus.home, 'backend')
    expect(readArchived(bus.home, id).extra.subagent).toBe(subagent)
    const shown = (await frontend.chat('show', id)).stdout
    const by = subagent === undefined ? '' : ` (its subagent ${subagent})`
    expect(shown).toContain(`from @frontend${by} `)
  })
})

test(
  'an answer that a subagent waits for stays unread, and rings nobody',
  leftOut(NO_PROC),
  async () => {
    const { bus, frontend, id } = await world()
    const draft = { from: 'frontend', to: 'backend', kind: 'question', body: 'which port?' }
    const asked = sendMessage(bus, draft).message
    const said = { from: 'backend', to: 'frontend', kind: 'reply', body: '9090', inReplyTo: asked }
    const answer = sendMessage(bus, said).message.id
    const command = `agent-chat ask --resume ${asked.id} -t 5`
    await frontend.may('Bash', { command }, SUBAGENT)
    const { stdout, stderr } = await bash(bus, command)
    expect(stdout).toContain('9090')
    expect(stderr).toMatch(STAYS)
    expect(unreadIds(bus.home, 'frontend')).toEqual([id, answer])
    expect(unrungIds(bus, 'frontend')).toEqual([id])
  },
)
