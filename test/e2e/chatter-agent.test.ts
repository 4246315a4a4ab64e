import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, runCli } from '../../src/testing/cli.ts'
import { hears } from './harness/request.ts'
import { worldForTest } from './harness/test-world.ts'

test('a session can have the chatter as its agent: its words, our tools, and none to edit with', async () => {
  const world = await worldForTest({
    pluginDir: ROOT,
    rule: (request) =>
      hears(request, 'who is there')
        ? { tool: 'mcp__agent-chat__who', input: {} }
        : { text: hears(request, '"you":true') ? 'I am, as @chatter.' : 'Hello!' },
  })
  await runCli(['join', 'chatter', '--no-watch'], { home: world.chat })
  const server = { command: process.execPath, args: [join(ROOT, 'dist/main.js'), 'mcp'] }
  const config = JSON.stringify({ mcpServers: { 'agent-chat': server } })
  const client = await world.startHeadless({
    name: 'chatter',
    args: ['--agent', 'agent-chat:chatter', '--mcp-config', config],
  })
  client.prompt('who is there')
  const { result } = await client.waitFor('the turn', ({ type }) => type === 'result')
  expect(result).toBe('I am, as @chatter.')
  const { body } = await world.api.waitFor('the prompt', ({ kind }) => kind === 'main')
  expect(JSON.stringify(body.system)).toContain('Let me check with @researcher.')
  const names = (body.tools as { name: string }[]).map(({ name }) => name)
  expect(names).toContain('mcp__agent-chat__send')
  for (const name of ['Edit', 'Write', 'NotebookEdit']) expect(names).not.toContain(name)
  expect(await client.end()).toBe(0)
})
