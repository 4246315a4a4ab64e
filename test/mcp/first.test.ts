import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { expect, onTestFinished, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { STATELESS, VERSIONS } from '../../src/mcp/first.ts'
import { cleanEnv, DIST } from '../../src/testing/cli.ts'
import { tempBus } from '../../src/testing/home.ts'

const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']

const initialize = (protocolVersion = '2025-11-25', id: unknown = 'one') => ({
  ...{ jsonrpc: '2.0', id, method: 'initialize' },
  params: {
    protocolVersion,
    capabilities: { roots: { listChanged: true }, elicitation: {} },
    clientInfo: { name: 'host', version: '1', title: 'A host' },
  },
})
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }
const PING = { jsonrpc: '2.0', id: 'ping', method: 'ping' }
const asked = (method: string, params?: object) => ({ jsonrpc: '2.0', id: method, method, params })

test('the versions that begin with initialize are those of the SDK', () => {
  expect(VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS)
})

test.each(VERSIONS)('the first answers are those of the SDK: %s', async (version) => {
  const lines = [INITIALIZED, ...LISTS.map((method) => asked(method))]
  const own = await talk(initialize(version), ...lines)
  // The SDK has the word from the first line on that is none of these.
  const sdk = await talk(PING, initialize(version), ...lines)
  expect(own).toEqual(sdk.filter(({ id }) => id !== 'ping'))
  expect(own).toHaveLength(1 + LISTS.length)
})

/** A request of the version in which each says itself what it speaks. */
const stateless = (method: string, version = STATELESS, more = {}) => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1', title: 'A host' },
    'io.modelcontextprotocol/clientCapabilities': { roots: { listChanged: true } },
  }
  return asked(method, { _meta: meta, ...more })
}

test('the first answers are those of the SDK where each request says what it speaks', async () => {
  const lines = ['server/discover', ...LISTS].map((method) => stateless(method))
  const own = await talk(...lines)
  const sdk = await talk('', ...lines)
  expect(own).toEqual(sdk)
  expect(own).toHaveLength(1 + LISTS.length)
})

test('the SDK goes on after server/discover, and repeats no answer', async () => {
  const who = stateless('tools/call', STATELESS, { name: 'who', arguments: {} })
  const answers = await talk(stateless('server/discover'), stateless('tools/list'), who)
  expect(answers.map(({ id }) => id)).toEqual(['server/discover', 'tools/list', 'tools/call'])
  expect(answers[2]).toHaveProperty('result.structuredContent')
})

test('the SDK goes on in the same conversation, and repeats no answer', async () => {
  const lines = [initialize(), INITIALIZED, asked('tools/list', { _meta: { progressToken: 7 } })]
  const who = asked('tools/call', { name: 'who', arguments: {} })
  const answers = await talk(...lines, who, PING, asked('prompts/list'))
  expect(answers.map(({ id }) => id).sort()).toEqual(
    ['one', 'ping', 'prompts/list', 'tools/call', 'tools/list'].sort(),
  )
})

test.each([
  ['another version', initialize('1999-01-01')],
  ['no version', { ...initialize(), params: {} }],
  ['capabilities that are none', { ...initialize(), params: { capabilities: [] } }],
  ['an id that is none', initialize('2025-11-25', {})],
  ['a list before it has begun', asked('tools/list')],
  ['a cursor', asked('tools/list', { cursor: 'x' })],
  ['server/discover of another version', stateless('server/discover', '2099-01-01')],
  ['server/discover with more', stateless('server/discover', STATELESS, { cursor: 'x' })],
  ['server/discover without its words', asked('server/discover', { _meta: {} })],
  ['no JSON', 'not json'],
  ['no object', [1, 2]],
])('what is not plain is the SDK’s to answer: %s', async (_, line) => {
  const [first, second] = await Promise.all([talk(line, PING), talk('', line, PING)])
  const order = (answers: Answer[]) => answers.map((one) => JSON.stringify(one)).sort()
  expect(order(first)).toEqual(order(second))
})

test.each([[null], [[]], ['x']])(
  'a list with parameters %j is the SDK’s to answer',
  async (params) => {
    const lines = [initialize(), { ...asked('tools/list'), params }]
    const order = (answers: Answer[]) =>
      answers.map((one) => JSON.stringify(one.error ?? one.id)).sort()
    expect(order(await talk(...lines))).toEqual(order(await talk('', ...lines)))
  },
)

test('lines in pieces are put together, and a host that ends early is left', async () => {
  const server = start()
  const text = `${JSON.stringify(initialize())}\n${JSON.stringify(INITIALIZED)}\n`
  for (const piece of [text.slice(0, 40), text.slice(40)]) server.stdin.write(piece)
  const [line] = await once(createInterface({ input: server.stdout }), 'line')
  expect(JSON.parse(String(line))).toMatchObject({
    id: 'one',
    result: { serverInfo: { name: 'agent-chat' } },
  })
  server.stdin.end()
  expect(await once(server, 'exit')).toEqual([0, null])
})

test('a server that is told to end before the SDK is there ends', async () => {
  const server = start()
  server.stdin.write(`${JSON.stringify(initialize())}\n`)
  await once(server.stdout, 'data')
  server.kill('SIGTERM')
  const [code] = await once(server, 'exit')
  expect(code).toBe(0)
})

type Answer = { id?: unknown; result?: unknown; error?: unknown }

function start() {
  const { home } = tempBus()
  const env = cleanEnv({ home: home.root, env: { AGENT_CHAT_NAME: 'alice' } })
  const server = spawn(RUNTIME, [join(DIST, 'main.js'), 'mcp'], { env, cwd: '/' })
  onTestFinished(() => {
    server.kill('SIGKILL')
  })
  return server
}

/** The answers to these lines, in their order; the host closes its end after the last of them. */
async function talk(...lines: unknown[]): Promise<Answer[]> {
  const server = start()
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  server.stdin.end(texts.map((text) => `${text}\n`).join(''))
  const answers: Answer[] = []
  for await (const line of createInterface({ input: server.stdout })) answers.push(JSON.parse(line))
  return answers
}
