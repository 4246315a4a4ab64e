import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AGENTS } from '../../src/agents/agents.ts'
import { commandsOf } from '../../src/setup/agentPlaces.ts'
import { OURS } from '../../src/setup/hookGuard.ts'
import { placeWith } from '../../src/testing/place.ts'
import { isListed, JUDGED, onlyReads } from '../../src/trust/toolGate/table.ts'
import { effectOfTool } from '../../src/trust/toolGate/tool.ts'
import { argsOf } from './hookFile.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const HOOKS = join(ROOT, 'hooks/hooks.json')

test('Claude Code is told to ask about every call but those of the table (npm run words writes it)', async () => {
  const file = JSON.parse(readFileSync(HOOKS, 'utf8'))
  const groups = Object.values<Group[]>(file.hooks).flat()
  expect(groups.filter(({ matcher }) => matcher?.startsWith('^(?!'))).toHaveLength(1)
  for (const group of groups) {
    if (group.matcher?.startsWith('^(?!')) group.matcher = JUDGED
    for (const hook of group.hooks)
      Object.assign(hook, { command: '/bin/sh', args: argsOf(hook.args.at(-1) ?? '') })
  }
  await expect(`${JSON.stringify(file, null, 2)}\n`).toMatchFileSnapshot(HOOKS)
})

type Group = { matcher?: string; hooks: { command: string; args: string[] }[] }

/** As the client reads a matcher that holds more than names: anywhere in the name of the tool. */
const isJudged = (tool: string) => new RegExp(JUDGED).test(tool)

test.each([
  'Frobnicate',
  'Bash',
  'Write',
  'Edit',
  'NotebookEdit',
  'Monitor',
  'PowerShell',
  'Agent',
  'Skill',
  'AskUserQuestion',
  'TaskStop',
  'CronDelete',
  'KillShell',
  'SlashCommand',
  'LSP',
  'Artifact',
  'RemoteTrigger',
  'ReadX',
  'XRead',
  'Read ',
  'read',
  'Readme',
  'TaskGetAll',
  'mcp__files__read',
  'mcp__Read',
  '',
])('%j is judged', (tool) => expect(isJudged(tool)).toBe(true))

test.each(['Read', 'Grep', 'TodoWrite', 'ToolSearch', 'TaskList', 'ExitPlanMode', 'WebFetch'])(
  '%s needs no hook',
  (tool) => expect(isJudged(tool)).toBe(false),
)

test('what the hook does not see is what it would let pass', () => {
  const names = JUDGED.slice('^(?!('.length, -')$)'.length).split('|')
  expect(names.filter((name) => !onlyReads(name))).toEqual([])
  expect(names.filter((name) => !/^[A-Z]\w+$/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})

const others = AGENTS.flatMap((agent) => (agent.hooks ? [{ ...agent, hooks: agent.hooks }] : []))

test.each(others)('$title asks about every call, and its tools are those of the table', (agent) => {
  const { hooks } = agent
  const ports = { self: { root: '/plugin' } } as Parameters<typeof commandsOf>[2]
  for (const { entry } of commandsOf(agent, hooks, ports))
    expect(JSON.stringify(entry)).not.toMatch(/matcher/i)
  if (hooks.source === undefined)
    expect(hooks.events.map(({ word }) => word)).toContain('pre-tool-use')
  expect(Object.keys(hooks.tools).length).toBeGreaterThan(5)
  expect(Object.values(hooks.tools).filter((tool) => !isListed(tool))).toEqual([])
  const changes = hooks.changes.split(' ').filter((tool) => tool !== '')
  for (const tool of changes) {
    expect(Object.keys(hooks.tools)).not.toContain(tool)
    expect([tool, effectOfTool({ name: tool, input: {} }, placeWith())]).toEqual([tool, 'changing'])
  }
})

test('the entry looks for a session of ours as the guards do', () => {
  const text = readFileSync(join(ROOT, 'bin/agent-chat'), 'utf8')
  expect(text.replaceAll(/^ +/gm, '')).toContain(`\n${OURS}\n`)
})
