import { expect, test } from 'vitest'
import { checkBelt } from './belt.ts'
import type { Engine } from './engine.ts'
import { own } from './own.ts'
import type { View } from './view.ts'

const CLOSED = '{"turn":{"began":"doorbell","opened":null}}'

/** A client in a turn of a message, whose command hook has judged these calls. */
async function verdictOf(tool: string, { judged = '', state = CLOSED } = {}) {
  Object.assign(own, { home: '/home', pid: 7, view: { name: 'backend' } as View })
  const texts: Record<string, string> = {
    '/home/state/backend.json': state,
    '/home/rooms/7.judged': judged,
  }
  const $ = {
    fs: {
      read: async (path: string) => texts[path] ?? '',
      stat: async (path: string) => ({ size: texts[path]?.length ?? 0 }),
    },
    state: { set: async () => undefined },
  } as unknown as Engine
  const { decision } = await checkBelt($, { tool, tool_use_id: 'c' }, async () => ({
    decision: 'allow',
  }))
  return decision
}

test.each([
  ...[
    'Agent',
    'Task',
    'Skill',
    'SlashCommand',
    'AskUserQuestion',
    'CronDelete',
    'TaskStop',
    'KillShell',
  ],
  ...['Bash', 'Write', 'Monitor', 'Workflow', 'mcp__files__read', 'RemoteTrigger', 'Frobnicate'],
])('the belt stops %s where the hook has not judged it', async (tool) => {
  expect(await verdictOf(tool)).toBe('ask')
  expect(await verdictOf(tool, { judged: '{"call":"c"}\n' })).toBe('allow')
  expect(await verdictOf(tool, { state: '{"turn":{"began":"human","opened":"prompt"}}' })).toBe(
    'allow',
  )
})

test.each(['Read', 'Grep', 'TodoWrite', 'ToolSearch', 'WebFetch'])(
  'it lets %s pass, of which the hook is not told',
  async (tool) => expect(await verdictOf(tool)).toBe('allow'),
)
