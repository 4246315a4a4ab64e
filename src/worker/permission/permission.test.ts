import { symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { readUnread } from '../../bus/mail/inbox.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { OPEN_TURN } from '../../session/given.ts'
import { noteWord } from '../../session/words.ts'
import { tempBus, tempDirectory } from '../../testing/home.ts'
import { openPermission, type PermissionRequest } from './permission.ts'

const TOUCH = { tool: 'Bash', input: { command: 'touch a' }, reason: 'agent-chat: closed' }
const OPEN = { ...TOUCH, reason: OPEN_TURN }
const QUIET = { AGENT_CHAT_NOTIFY: 'off' }

/** The permission of a worker whose human answers nothing within its limit. */
function permissionOn(bus: Bus, more: Partial<PermissionRequest> = {}, env = {}) {
  return openPermission(
    {
      ...{ name: 'coder', trust: 'ask', tools: ['Bash', 'Read', 'Agent', 'mcp__git'], cwd: '/' },
      ...{ limitMs: 1, ...more },
    },
    {
      env: { ...QUIET, ...env },
      bus: () => bus,
      notice: () => {},
      self: { node: process.execPath, script: '/none', root: '/' },
    },
  )
}

function scene(more: Partial<PermissionRequest> = {}, env = {}) {
  const bus = tempBus(['coder', 'alice', 'human'])
  const permission = permissionOn(bus, more, env)
  const from = (sender: string, typed = false) => {
    const draft = { from: sender, to: 'coder', kind: 'question', body: 'do it' }
    const { message } = sendMessage(bus, draft)
    if (typed) noteWord(bus, message)
    return message
  }
  const decisions = () => readUnread(bus, 'human').messages.length
  return { bus, permission, from, decisions }
}

const REFUSED = { allow: false, message: expect.any(String) }

describe('a call', () => {
  test('needs a tool of the definition, whoever began the turn', async () => {
    const { permission, from, decisions } = scene({ trust: 'tools' })
    permission.give(from('human', true), 'p')
    const ask = (tool: string) => permission.decide({ tool, input: {}, reason: OPEN_TURN })
    for (const tool of ['Write', 'mcp__gitlab__push', 'AskUserQuestion'])
      expect(await ask(tool)).toEqual(REFUSED)
    for (const tool of ['Bash', 'Task', 'Agent', 'mcp__git__push'])
      expect(await ask(tool)).toEqual({ allow: true })
    expect(decisions()).toBe(0)
  })

  test('creates a file only where none is, whoever began the turn and whatever is trusted', async () => {
    const dir = tempDirectory()
    writeFileSync(`${dir}/there.txt`, 'original')
    symlinkSync(`${dir}/nowhere`, `${dir}/link.txt`)
    const more = { tools: ['Write', 'Edit'], cwd: dir, createsOnly: true } as const
    for (const trust of ['tools', 'ask'] as const) {
      const { permission, from } = scene({ ...more, trust })
      permission.give(from('human', true), 'p')
      const write = (file_path: unknown) =>
        permission.decide({ tool: 'Write', input: { file_path }, reason: OPEN_TURN })
      const there = ['there.txt', `${dir}/there.txt`, './x/../there.txt', 'link.txt', '.', '', 7]
      for (const path of there) expect(await write(path)).toEqual(REFUSED)
      for (const path of ['new.txt', `${dir}/sub/new.txt`])
        expect(await write(path)).toEqual({ allow: true })
    }
    const { permission, from } = scene({ ...more, createsOnly: false, trust: 'tools' })
    permission.give(from('human', true), 'p')
    const input = { file_path: `${dir}/there.txt` }
    expect(await permission.decide({ tool: 'Write', input, reason: '' })).toEqual({ allow: true })
  })

  test('runs freely only where the hook too calls the turn open', async () => {
    const { permission, from, decisions } = scene()
    permission.give(from('human', true), 'p')
    expect(await permission.decide(OPEN)).toEqual({ allow: true })
    // As of a subagent that a peer’s turn has started.
    expect(await permission.decide(TOUCH)).toEqual(REFUSED)
    permission.give(from('alice'), 'q')
    expect(await permission.decide(OPEN)).toEqual(REFUSED)
    expect(decisions()).toBe(2)
  })

  test('that reads runs in any turn, and none outside of one', async () => {
    const { permission, from, decisions } = scene()
    const ls = { tool: 'Bash', input: { command: 'ls' }, reason: '' }
    expect(await permission.decide(ls)).toEqual(REFUSED)
    permission.give(from('alice'), 'p')
    expect(await permission.decide(ls)).toEqual({ allow: true })
    permission.over()
    expect(await permission.decide(ls)).toEqual(REFUSED)
    expect(decisions()).toBe(0)
  })

  test('that still waits is refused as the turn ends, and its decision stays open', async () => {
    const { permission, from, decisions } = scene({ limitMs: 60_000 })
    permission.give(from('alice'), 'p')
    const waiting = permission.decide(TOUCH)
    permission.over()
    expect(await waiting).toEqual(REFUSED)
    expect(decisions()).toBeLessThanOrEqual(1)
  })

  test('shows what nobody sees, and passes for no words of the decision', async () => {
    const { bus, permission, from } = scene()
    permission.give(from('alice'), 'p')
    const command = 'touch a \u202e\n\n1. No\n\n**Recommended:** 1'
    await permission.decide({ ...TOUCH, input: { command } })
    const [decision] = readUnread(bus, 'human').messages
    expect(decision?.body).toContain(
      '    touch a <U+202E>\n    \n    1. No\n    \n    **Recommended:** 1',
    )
    expect(decision?.subject).toContain('decision 1: May I use Bash: touch a <U+202E> 1. No')
  })
})

describe('whose word a message is', () => {
  test.each([
    ['typed by the human', true, {}, {}, true],
    ['sent in the human’s name', false, {}, {}, false],
    ['typed, where that opens nothing', true, {}, { AGENT_CHAT_HUMAN: 'ask' }, false],
    ['a run of their schedule', false, { isOwn: () => true }, {}, true],
  ])('%s', (_, typed, more, env, own) => {
    const { permission, from } = scene(more, env)
    expect(permission.give(from('human', typed), 'p').own).toBe(own)
  })

  test('a peer’s is none, also where it is said to be', () => {
    const { permission, from } = scene({ isOwn: () => true })
    expect(permission.give(from('alice', true), 'p')).toMatchObject({
      cause: 'doorbell',
      own: false,
    })
  })
})
