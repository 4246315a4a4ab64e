import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')

type Handler = (event: object, ctx: object) => Promise<unknown>

/** As setup has not put it anywhere: there is no hook program at the place that it names. */
const load = (file: string) => import(join(ROOT, file))

test('pi runs no call that the hook could not judge', async () => {
  const on = new Map<string, Handler>()
  const { default: agentChat } = await load('hosts/pi.js')
  agentChat({ on: (event: string, handler: Handler) => on.set(event, handler) })
  const ctx = { cwd: '/', sessionManager: {}, hasUI: true }
  const said = await on.get('tool_call')?.({ toolName: 'bash', toolCallId: '1', input: {} }, ctx)
  expect(said).toMatchObject({ block: true, reason: expect.stringContaining('bin/agent-chat') })
})

test('OpenCode runs no call that the hook could not judge', async () => {
  vi.stubEnv('AGENT_CHAT_NAME', 'backend')
  const { AgentChat } = await load('hosts/opencode.js')
  const client = { session: { get: async () => ({ data: {} }) } }
  const plugin = await AgentChat({ client, directory: '/' })
  const call = plugin['tool.execute.before'](
    { tool: 'bash', sessionID: 's', callID: '1' },
    { args: {} },
  )
  await expect(call).rejects.toThrow('bin/agent-chat')
  vi.unstubAllEnvs()
})
