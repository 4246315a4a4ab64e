import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Agent, AgentHooks } from '../../src/agents/agent.ts'
import { AGENTS } from '../../src/agents/agents.ts'
import { commandsOf } from '../../src/setup/agentPlaces.ts'
import { tempBus } from '../../src/testing/home.ts'
import { type Plugin, plugin, TROUBLES } from './broken.ts'

/** Agents whose own file names our hooks. */
const NAMING = AGENTS.flatMap((agent) =>
  agent.hooks?.events.length ? [agent as Agent & { hooks: AgentHooks }] : [],
)

/** A home with @backend, for whose agent this process stands. */
function home(program: string): string {
  const bus = tempBus()
  const session = { name: 'backend', agent: bus.processes.self(), program, doorbell: 'auto' }
  writeFileSync(bus.home.sessions, JSON.stringify({ backend: session }))
  return bus.home.root
}

/** What the commands of an agent's file say, each as its agent runs it. */
function said(agent: (typeof NAMING)[number], it: Plugin, env: Record<string, string>) {
  const ports = { self: { root: it.root } } as Parameters<typeof commandsOf>[2]
  const payload = { tool_name: 'other', tool_input: { command: 'rm x' }, session_id: 's', cwd: '/' }
  return commandsOf(agent, agent.hooks, ports).map(({ event, command }) => {
    const { status, stdout } = spawnSync('/bin/sh', ['-c', command], {
      env: { PATH: it.bin, HOME: '/nowhere', ...env },
      input: JSON.stringify(payload),
      encoding: 'utf8',
    })
    return { event, status, stdout }
  })
}

/** How each agent is told to ask, or to refuse where its `ask` would let the call run. */
const NO: Record<string, { [event: string]: object }> = {
  codex: { PreToolUse: { hookSpecificOutput: { permissionDecision: 'deny' } } },
  gemini: { BeforeTool: { decision: 'ask' } },
  copilot: { preToolUse: { permissionDecision: 'ask' } },
  qwen: {
    PreToolUse: { hookSpecificOutput: { permissionDecision: 'deny' } },
    PermissionRequest: { hookSpecificOutput: { decision: { behavior: 'deny' } } },
  },
}

describe.each(TROUBLES)('a hook file of another agent, with %s', (_, does) => {
  test.each(NAMING.map((agent) => [agent.name, agent] as const))('%s', (name, agent) => {
    const it = plugin()
    const broken = does(it)
    const sessions = [
      { AGENT_CHAT_NAME: 'backend', AGENT_CHAT_HOME: '/nowhere', ...broken },
      { AGENT_CHAT_HOME: home(name), ...broken },
    ]
    for (const env of sessions) {
      for (const { event, status, stdout } of said(agent, it, env)) {
        const no = NO[name]?.[event]
        expect([event, status, no ? JSON.parse(stdout) : stdout]).toEqual([
          ...[event, 0, no ? expect.objectContaining(deep(no)) : ''],
        ])
        if (no) expect(stdout).toMatch(/agent-chat: its hook cannot run.* agent-chat doctor/)
      }
    }
    const stranger = { AGENT_CHAT_HOME: tempBus().home.root, ...broken }
    for (const one of said(agent, it, stranger))
      expect(one).toEqual({ event: one.event, status: 0, stdout: '' })
  })
})

function deep(no: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(no).map(([key, value]) => [
      key,
      typeof value === 'object' ? expect.objectContaining(deep(value)) : value,
    ]),
  )
}

test.each(NAMING.map((agent) => [agent.name, agent] as const))(
  'a whole plugin answers %s by its own rules, and lets a stranger be',
  (name, agent) => {
    const it = plugin()
    const ours = said(agent, it, { AGENT_CHAT_NAME: 'backend', AGENT_CHAT_HOME: home(name) })
    for (const { status, stdout } of ours) {
      expect(status).toBe(0)
      expect(stdout).not.toContain('cannot run')
    }
    expect(ours.some(({ stdout }) => stdout.includes('@backend'))).toBe(true)
    for (const one of said(agent, it, { AGENT_CHAT_HOME: tempBus().home.root }))
      expect(one).toEqual({ event: one.event, status: 0, stdout: '' })
  },
)

test('every agent with a file of hooks has a row here', () =>
  expect(Object.keys(NO).sort()).toEqual(NAMING.map(({ name }) => name).sort()))
