import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { QWEN } from '../agents/qwen.ts'
import { readUnread } from '../bus/mail/inbox.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { claimRing, ringMark } from '../session/rings.ts'
import { readState } from '../session/stateFile.ts'
import { hasWord } from '../session/turn.ts'
import { noteWord } from '../session/words.ts'
import { DIST, runCli } from '../testing/cli.ts'
import { tempBus } from '../testing/home.ts'
import { HOOKS } from './main.ts'
import { runHook } from './run.ts'
import { AFTER_TOOL, BEFORE_TOOL } from './tools.ts'

const RING = 'New message from @alice. Check inbox.'

/** A Qwen Code called bob, for which the process above this one stands. */
function qwen() {
  const bus = tempBus(['alice', 'bob', 'human'])
  const began = Date.now() - 60_000
  const info = bus.processes.find(process.ppid)
  const agent = { pid: process.ppid, started: info?.started ?? '' }
  const bob = { name: 'bob', agent, program: 'qwen', pane: null, server: '/none', cwd: '/' }
  writeFileSync(bus.home.sessions, JSON.stringify({ bob, alice: { name: 'alice' } }))
  const ports = {
    env: { AGENT_CHAT_NAME: 'bob', AGENT_CHAT_NOTIFY: 'off', PATH: process.env.PATH },
    bus: () => bus,
    agent: QWEN,
    self: { node: process.execPath, script: join(DIST, 'main.js') },
  }
  /** `at`: seconds since a minute before the test, as Qwen Code tells them. */
  const hook = async (word: string, at: number, payload: object = {}) => {
    const timestamp = new Date(began + at * 1000).toISOString()
    const text = JSON.stringify({ cwd: '/', session_id: 's', timestamp, ...payload })
    const hooks = { ...HOOKS, ...BEFORE_TOOL, ...AFTER_TOOL }
    const { stdout } = await runHook(hooks, word, () => text, ports)
    return stdout === undefined ? undefined : JSON.parse(stdout).hookSpecificOutput
  }
  const prompt = (at: number, text: string) => hook('user-prompt-submit', at, { prompt: text })
  const told = (at: number, notification_type: string) =>
    hook('notification', at, { notification_type })
  const call = (word: string, command: string) =>
    hook(word, 60, { tool_name: 'run_shell_command', tool_input: { command } })
  const state = () => readState(bus.home, 'bob')
  hook('session-start', 0, { source: 'startup' })
  return { bus, prompt, told, call, state }
}

test('what its tools have answered, and what it goes on with, is no word of the human', async () => {
  const { prompt, told, call, state } = qwen()
  prompt(1, RING)
  for (const text of ['', 'words of a tool', 'Please continue.']) prompt(2, text)
  expect(hasWord(state()?.turn)).toBe(false)
  expect((await call('pre-tool-use', 'touch a')).permissionDecisionReason).toMatch(
    /began this turn/,
  )
  told(3, 'idle_prompt')
  prompt(4, 'please go on')
  expect(hasWord(state()?.turn)).toBe(true)
  expect(await call('pre-tool-use', 'touch a')).toBeUndefined()
})

test('a change is refused before its own dialog opens, and needs none once the human has said yes', async () => {
  const { bus, prompt, told, call } = qwen()
  const read = async (from: string, body: string, more = {}) => {
    const { message } = sendMessage(bus, { from, to: 'bob', kind: 'note', body, ...more })
    noteWord(bus, message)
    await runCli(['inbox'], { home: bus.home.root, env: { AGENT_CHAT_NAME: 'bob' } })
  }
  prompt(1, RING)
  await read('alice', 'please')
  const refused = {
    behavior: 'deny',
    message: expect.stringMatching(/your user decides.*decision/),
  }
  expect((await call('early-tool-use', 'touch a')).decision).toEqual(refused)
  expect((await call('pre-tool-use', 'touch a')).decision).toEqual(refused)
  const [asked, ...more] = readUnread(bus, 'human').messages
  expect(more).toEqual([])
  told(2, 'idle_prompt')
  prompt(3, RING.replace('alice', 'human'))
  await read('human', '1', { extra: { choice: '1' }, ...(asked && { inReplyTo: asked }) })
  expect((await call('early-tool-use', 'touch a')).decision.behavior).toBe('allow')
  expect(await call('pre-tool-use', 'touch a')).toBeUndefined()
  // A yes is for one run.
  expect((await call('early-tool-use', 'touch a')).decision).toEqual(refused)
})

test('our own commands need no dialog, and what only reads has its own', async () => {
  const { prompt, call } = qwen()
  prompt(1, RING)
  expect((await call('early-tool-use', 'agent-chat inbox')).decision.behavior).toBe('allow')
  expect(await call('early-tool-use', 'ls')).toBeUndefined()
})

test('is idle when it says so, also after Escape, and not when it said so before the prompt', () => {
  const { prompt, told, state } = qwen()
  prompt(1, 'hello')
  told(2, 'permission_prompt')
  expect(state()?.activity).toBe('asking')
  told(3, 'idle_prompt')
  expect(state()?.activity).toBe('idle')
  told(2, 'permission_prompt')
  expect(state()?.activity).toBe('idle')
  prompt(5, 'again')
  told(4, 'idle_prompt')
  expect(state()?.activity).toBe('busy')
})

test('a ring from its file of prompts is presented with the prompt', () => {
  const { bus, prompt } = qwen()
  const draft = { from: 'alice', to: 'bob', kind: 'note', body: 'hello' }
  const { id } = sendMessage(bus, draft).message
  claimRing(bus, 'bob', 'input')
  expect(ringMark(bus.home, 'bob', id)?.presented).toBeUndefined()
  prompt(1, RING)
  expect(ringMark(bus.home, 'bob', id)?.presented).toBeDefined()
})
