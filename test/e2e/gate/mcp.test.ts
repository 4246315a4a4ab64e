import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { bash } from '../delivery/model.ts'
import { type Scene, sceneForTest } from './scene.ts'

const call = (tool: string, input: Record<string, unknown> = {}) => ({
  tool: `mcp__agent-chat__${tool}`,
  input,
})

/** What every call was, who made it, and what came of it. */
async function calls(scene: Scene): Promise<unknown[]> {
  const { calls } = JSON.parse(await scene.chat(['history', '--mcp', '--json']))
  return calls.map(({ session, tool, result }: Record<string, Record<string, unknown>>) => [
    session,
    tool,
    result?.success === true ? 'ok' : result?.code,
  ])
}

test('our own tools are asked about by nobody, in a turn that a message began; what they send is gated', async () => {
  const scene = await sceneForTest()
  const config = join(scene.world.home, '.claude.json')
  const before = await readFile(config, 'utf8')
  await scene.chat(['setup', '--mcp'])
  const frontend = await scene.session('frontend')
  const plan = scene.agents.plan(
    call('who'),
    call('add_task', { title: 'Buy groceries' }),
    call('send', { to: 'backend', message: 'What do you mean?', question: true }),
    call('send', { to: 'backend', message: 'I said so.' }),
  )
  await scene.obeyed(plan)
  expect(await frontend.dialogs()).toBe(0)
  expect(plan.results[0]).toContain('"you":true')
  expect(await calls(scene)).toEqual([
    ['frontend', 'who', 'ok'],
    ['frontend', 'add_task', 'ok'],
    ['frontend', 'send', 'ok'],
    ['frontend', 'send', 'GATE_REFUSED'],
  ])
  // A tool call of ours is no work, and opens nothing: a change is put to the human all the same.
  await scene.asks(scene.agents.plan(bash('touch by-message')))
  await frontend.dialog()
  expect(scene.made('by-message')).toBe(false)
  await frontend.no()
  await scene.chat(['setup', '--mcp', '--remove'])
  expect(JSON.parse(await readFile(config, 'utf8')).mcpServers ?? {}).toEqual({})
  expect(before).not.toContain('mcpServers')
})

test('in claude -p they run too, without a rule that allows them', async () => {
  const scene = await sceneForTest()
  await scene.chat(['join', 'frontend', '--no-watch'])
  const plugin = dirname(dirname(scene.main))
  const start = (command: string, args: string[]) =>
    scene.world.startHeadless({
      name: 'frontend',
      args: [
        ...['--plugin-dir', plugin, '--allowedTools', 'Bash(agent-chat:*)', '--mcp-config'],
        JSON.stringify({ mcpServers: { 'agent-chat': { command, args } } }),
      ],
    })
  const client = await start(process.execPath, [scene.main, 'mcp'])
  client.prompt('hello')
  await client.waitFor('the first turn', ({ type }) => type === 'result')
  const plan = scene.agents.plan(call('inbox', { peek: true }), call('status', { name: 'backend' }))
  await scene.asks(plan)
  await client.waitFor(
    'the second turn',
    ({ type, result_index }) => type === 'result' && result_index === 1,
  )
  expect(JSON.stringify(client.messages)).not.toContain('permission_denied')
  expect(await calls(scene)).toEqual([
    ['frontend', 'inbox', 'ok'],
    ['frontend', 'status', 'ok'],
  ])
  expect(await client.end()).toBe(0)
})
