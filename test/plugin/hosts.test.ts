import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { tempDirectory } from '../../src/testing/home.ts'

const ROOT = join(import.meta.dirname, '..', '..')

type Handler = (event: object, ctx?: object) => Promise<unknown>

afterEach(() => vi.unstubAllEnvs())

/** The extension as setup puts it, with this text as the entry; undefined for none. */
async function load(file: string, agent: string, entry: string | undefined) {
  const root = join(tempDirectory(), 'plugin')
  mkdirSync(join(root, 'bin'), { recursive: true })
  if (entry !== undefined) {
    writeFileSync(join(root, 'bin/agent-chat'), entry)
    chmodSync(join(root, 'bin/agent-chat'), 0o755)
  }
  const text = readFileSync(join(ROOT, file), 'utf8')
  const path = join(root, 'extension.mjs')
  writeFileSync(path, text.replaceAll('@ROOT@', root).replaceAll('@AGENT@', agent))
  return import(pathToFileURL(path).href)
}

const ctx = { cwd: '/', sessionManager: {}, hasUI: true }

async function pi(entry: string | undefined) {
  const on = new Map<string, Handler>()
  const prompts: string[] = []
  const { default: agentChat } = await load('hosts/pi.js', 'pi', entry)
  agentChat({
    on: (event: string, handler: Handler) => on.set(event, handler),
    sendUserMessage: (text: string) => prompts.push(text),
  })
  const tell = (event: string, payload: object) => on.get(event)?.(payload, ctx)
  const call = () => tell('tool_call', { toolName: 'bash', toolCallId: '1', input: {} })
  return { tell, call, prompts }
}

async function opencode(entry: string | undefined) {
  const prompts: unknown[] = []
  const { AgentChat } = await load('hosts/opencode.js', 'opencode', entry)
  const promptAsync = async (prompt: unknown) => prompts.push(prompt)
  const session = { get: async () => ({ data: {} }), promptAsync }
  const plugin = await AgentChat({ client: { session }, directory: '/' })
  const call = async () =>
    plugin['tool.execute.before']?.(
      { tool: 'bash', sessionID: 's', callID: '1' },
      { args: {} },
    ).catch((error: Error) => ({ block: true, reason: error.message }))
  return { plugin, call, prompts }
}

const ENTRIES: [what: string, entry: string | undefined][] = [
  ['none', undefined],
  ['one with line ends of Windows', 'case $0 in\r\n*/*) exit 0 ;;\r\nesac\r\n'],
  ['one that was cut off', 'case $0 in\n'],
  ['an empty one', ''],
  ['one that fails', 'exit 9\n'],
]

describe.each(ENTRIES)('where the entry cannot run: %s', (_, entry) => {
  const blocked = { block: true, reason: expect.stringContaining('agent-chat doctor') }

  test('pi runs no call of a session of ours', async () => {
    vi.stubEnv('AGENT_CHAT_NAME', 'backend')
    expect(await (await pi(entry)).call()).toMatchObject(blocked)
  })

  test('OpenCode runs no call of a session of ours', async () => {
    vi.stubEnv('AGENT_CHAT_NAME', 'backend')
    expect(await (await opencode(entry)).call()).toMatchObject(blocked)
  })

  test('neither stops a call of a stranger', async () => {
    vi.stubEnv('AGENT_CHAT_NAME', '')
    expect(await (await pi(entry)).call()).toBeUndefined()
    expect(await (await opencode(entry)).call()).toBeUndefined()
  })

  test('neither takes what its shell says of that for a ring', async () => {
    vi.stubEnv('AGENT_CHAT_NAME', 'backend')
    const one = await pi(entry)
    await one.tell('agent_end', {})
    const other = await opencode(entry)
    await other.plugin['chat.message']({ sessionID: 's' }, { message: { id: 'm' }, parts: [] })
    const idle = { type: 'session.idle', properties: { sessionID: 's' } }
    await other.plugin.event({ event: idle })
    // The ring of pi is not waited for; a call is asked about after it.
    await one.call()
    expect([one.prompts, other.prompts]).toEqual([[], []])
  })
})

test('both do what a hook answers', async () => {
  vi.stubEnv('AGENT_CHAT_NAME', 'backend')
  const denies = `echo '{"decision":"deny","reason":"not now"}'; exit 0\n`
  for (const host of [pi, opencode])
    expect(await (await host(denies)).call()).toEqual({ block: true, reason: 'not now' })
  const passes = 'exit 0\n'
  for (const host of [pi, opencode]) expect(await (await host(passes)).call()).toBeUndefined()
})

test('a ring of the hook is a prompt', async () => {
  vi.stubEnv('AGENT_CHAT_NAME', 'backend')
  const { plugin, prompts } = await opencode('echo "New message" >&2; exit 2\n')
  await plugin['chat.message']({ sessionID: 's' }, { message: { id: 'm' }, parts: [] })
  const properties = { sessionID: 's' }
  await plugin.event({ event: { type: 'session.idle', properties } })
  expect(prompts).toMatchObject([{ body: { parts: [{ text: 'New message' }] } }])
})
