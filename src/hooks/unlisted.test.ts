import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Agent } from '../agents/agent.ts'
import { AGENTS } from '../agents/agents.ts'
import { checkTools } from '../doctor/tools.ts'
import { DIST } from '../testing/cli.ts'
import { tempBus } from '../testing/home.ts'
import { HOOKS } from './main.ts'
import { runHook } from './run.ts'
import { AFTER_TOOL, BEFORE_TOOL } from './tools.ts'

/** @backend on an agent, for which the process above this one stands, in a turn of a message. */
async function backend(agent: Agent) {
  const bus = tempBus(['frontend', 'backend', 'human'])
  const info = bus.processes.find(process.ppid)
  const ref = { pid: process.ppid, started: info?.started ?? '' }
  const session = { name: 'backend', agent: ref, program: agent.name, pane: null, server: '/none' }
  writeFileSync(
    bus.home.sessions,
    JSON.stringify({ backend: { ...session, cwd: '/' }, frontend: { name: 'frontend' } }),
  )
  const isClaude = agent.hooks === undefined
  const ports = {
    env: {
      ...{ AGENT_CHAT_NAME: 'backend', AGENT_CHAT_NOTIFY: 'off', PATH: process.env.PATH },
      ...(isClaude ? { CLAUDE_PID: `${process.ppid}` } : {}),
    },
    bus: () => bus,
    agent: isClaude ? undefined : agent,
    self: { node: process.execPath, script: join(DIST, 'main.js') },
  }
  const hooks = { ...HOOKS, ...BEFORE_TOOL, ...AFTER_TOOL }
  const hook = async (word: string, payload: object) => {
    const text = JSON.stringify({ cwd: '/', session_id: 's', timestamp: 1, ...payload })
    return (await runHook(hooks, word, () => text, ports)).stdout ?? ''
  }
  await hook('session-start', { source: 'startup' })
  await hook('user-prompt-submit', { prompt: 'New message from @frontend. Check inbox.' })
  const call = (tool_name: string, tool_input: object = {}) =>
    hook('pre-tool-use', {
      ...{ tool_name, tool_input, tool_use_id: 'c' },
      ...{ toolName: tool_name, toolArgs: tool_input, sessionId: 's' },
    })
  return { bus, call }
}

const REFUSED = /"(permissionD|d)ecision":"(deny|ask)"/

test.each(AGENTS)(
  '$title: a tool that nobody listed does not pass, and is noted',
  async (agent) => {
    const { bus, call } = await backend(agent)
    expect(await call('Frobnicate')).toMatch(REFUSED)
    expect(await call('Frobnicate')).toMatch(REFUSED)
    expect(await call('frobnicate')).toMatch(REFUSED)
    const noted = readFileSync(bus.home.unlistedTools, 'utf8').trim().split('\n')
    const prefix = agent.hooks ? `${agent.name}:` : ''
    expect(noted).toEqual([`${agent.name} ${prefix}Frobnicate`, `${agent.name} frobnicate`])
    const [check] = checkTools(bus)
    expect(check).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('Frobnicate'),
    })
  },
)

const others = AGENTS.flatMap((agent) => (agent.hooks ? [{ ...agent, hooks: agent.hooks }] : []))

test.each(others)('$title: its own tools are not those of Claude Code', async (agent) => {
  const { call } = await backend(agent)
  const names = Object.entries(agent.hooks.tools)
  for (const [tool] of names.filter(([, is]) => is === 'Read' || is === 'TodoWrite'))
    expect([tool, await call(tool)]).toEqual([tool, expect.not.stringMatching(REFUSED)])
  for (const tool of ['Read', 'TodoWrite', 'WebFetch'])
    expect([tool, await call(tool)]).toEqual([tool, expect.stringMatching(REFUSED)])
})

test('no more names are kept than fit, and none that is no name', async () => {
  const { bus, call } = await backend(AGENTS.find(({ name }) => name === 'claude') as Agent)
  expect(checkTools(bus)).toEqual([])
  await call('a\nclaude Read')
  await call(`${'x'.repeat(200)}`)
  expect(checkTools(bus)).toEqual([])
  for (let at = 0; at < 30; at += 1) await call(`Tool${at}${'x'.repeat(80)}`)
  const { length } = readFileSync(bus.home.unlistedTools, 'utf8')
  writeFileSync(bus.home.unlistedTools, 'x'.repeat(4097))
  await call('Frobnicate')
  expect(readFileSync(bus.home.unlistedTools, 'utf8')).toBe('x'.repeat(4097))
  expect(length).toBeGreaterThan(1000)
})
