// child_process: this file starts the program (see vitest.config.ts).
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeReport } from '../../bench/report.mjs'
import { TOOLS } from '../../src/mcp/table.ts'
import { tempHome } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import { HELLO, lines } from './lines.ts'

/** `npm run fuzz:mcp` writes 20,000, and into the page what came of them. */
const PAGE = join(import.meta.dirname, '../../docs/evidence/mcp.md')
const LINES = Number(process.env.MCP_FUZZ_LINES ?? 400)
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_123)
const BATCH = 100

test('a line that is no request has an error as its answer, and the next one is answered', async () => {
  const server = lines(tempHome('alice'), 'alice')
  await server.request('initialize', HELLO)
  for (const line of [
    '{',
    'agent-chat who',
    '',
    '[]',
    '{"jsonrpc":"2.0"}',
    Buffer.from([0xff, 0]),
    '"'.repeat(100_000),
  ])
    server.write(line)
  server.write('{"jsonrpc":"2.0","id":7,"params":{}}')
  server.write('{"jsonrpc":"2.0","id":8,"result":3}')
  expect(await server.request('ping')).toMatchObject({ result: {} })
  const codes = server.others.map(({ id, error }) => [id, Object(error).code])
  expect(codes).toEqual([
    [null, -32700],
    [null, -32700],
    [null, -32600],
    [null, -32600],
    [null, -32700],
    [null, -32700],
    [7, -32600],
  ])
  expect(await server.request('tools/call', { name: 'rm', arguments: {} })).toMatchObject({
    error: { code: -32602, message: expect.stringContaining('the tools are: send') },
  })
  expect(await server.request('nope')).toMatchObject({ error: { code: -32601 } })
  const { result } = await server.request('tools/call', { name: 'who', arguments: {} })
  expect(result).toMatchObject({ structuredContent: { success: true } })
})

test('a line and a batch before the first request have an error as well', async () => {
  const server = lines(tempHome('alice'), 'alice')
  server.write('rubbish')
  server.write('[{"jsonrpc":"2.0","id":1,"method":"ping"}]')
  expect(await server.request('initialize', HELLO)).toMatchObject({ result: {} })
  expect(server.others).toMatchObject([{ error: { code: -32700 } }, { error: { code: -32600 } }])
})

test('a line beyond all measure ends the server in order, and nothing was done', async () => {
  const home = tempHome('alice', 'bob')
  const server = lines(home, 'alice')
  await server.request('initialize', HELLO)
  const message = 'x'.repeat(20_000_000)
  void server.request('tools/call', { name: 'send', arguments: { to: 'bob', message } })
  expect(await server.ended).toEqual([0, null])
  expect(server.stderr()).toBe('')
  expect(readdirSync(home.messages)).toEqual([])
  expect(existsSync(home.mcpLog)).toBe(false)
})

test('it ends with its input, answering what was asked; a signal ends it, and a question stays open', async () => {
  const home = tempHome('alice', 'bob')
  const one = lines(home, 'alice')
  await one.request('initialize', HELLO)
  const sent = one.request('tools/call', { name: 'send', arguments: { to: 'bob', message: 'hi' } })
  one.child.stdin?.end()
  expect(await sent).toMatchObject({ result: { structuredContent: { success: true } } })
  expect(await one.ended).toEqual([0, null])
  for (const end of ['SIGTERM', 'SIGINT', undefined] as const) {
    const two = lines(home, 'alice')
    await two.request('initialize', HELLO)
    const before = readdirSync(home.messages).length
    void two.request('tools/call', { name: 'consult', arguments: { to: 'bob', question: 'Why?' } })
    await until('the question', () => readdirSync(home.messages).length > before)
    if (end) two.child.kill(end)
    else two.child.stdin?.end()
    expect(await two.ended).toEqual([0, null])
    await until('the note to go', () =>
      readdirSync(home.asks).every((file) => !file.endsWith('.json')),
    )
  }
  expect(readdirSync(home.inbox('bob')).filter((file) => file.endsWith('.md'))).toHaveLength(4)
  expect(readdirSync(home.mcpServers)).toEqual([])
})

test(`${LINES} lines of anybody's leave it working, and no file outside the home`, {
  timeout: 600_000,
}, async () => {
  const home = tempHome('alice', 'bob')
  const began = performance.now()
  const server = lines(home, 'alice')
  await server.request('initialize', HELLO)
  const known = readdirSync(home.root)
  const all = fc.sample(line, { numRuns: LINES, seed: SEED })
  for (let at = 0; at < all.length; at += BATCH) {
    for (const one of all.slice(at, at + BATCH)) server.write(one)
    const alive = await Promise.race([server.request('ping'), server.ended])
    expect(alive, all.slice(at, at + BATCH).join('\n')).toMatchObject({ result: {} })
  }
  const { result } = await server.request('tools/call', { name: 'who', arguments: {} })
  expect(result).toMatchObject({ structuredContent: { success: true } })
  server.child.stdin?.end()
  expect(await server.ended).toEqual([0, null])
  expect(server.stderr()).toBe('')
  expect(readdirSync(dirname(home.root))).toEqual(['home'])
  const made = [
    'asks',
    'escalations',
    'gate',
    'held',
    'history.log',
    'lists',
    'mcp',
    'tasks',
    'threads',
    'names.json',
    'words',
    'search',
    'paused',
  ]
  expect(readdirSync(home.root).filter((file) => ![...known, ...made].includes(file))).toEqual([])
  for (const text of readFileSync(home.mcpLog, 'utf8').trimEnd().split('\n')) {
    expect(text.length).toBeLessThan(40_000)
    expect(JSON.parse(text)).toMatchObject({ session: 'alice' })
  }
  expect(existsSync(PWNED)).toBe(false)
  if (process.env.MCP_FUZZ_WRITE) writeReport(PAGE, told(performance.now() - began), 'fuzz')
})

const told = (
  took: number,
) => `${new Date().toISOString().slice(0, 10)}, seed ${SEED}: ${LINES.toLocaleString('en')} lines in ${Math.round(took / 1000)} s. They are calls with anything in
their parameters, other requests, and lines that are no request. The server answered after each hundred, ended with 0,
wrote nothing on standard error, and made no file outside the home.`

/** A file that none of it makes. */
const PWNED = join(tmpdir(), `agent-chat-pwned-${process.pid}`)

const NASTY = [
  '',
  ' ',
  '@bob',
  'bob',
  '../../etc/passwd',
  PWNED,
  `$(touch ${PWNED})`,
  '\0',
  '\u202e',
  '__proto__',
  'constructor',
  '-1',
  'x'.repeat(5000),
  '---js\nprocess.exit(1)\n---',
  '1',
  'all',
]
const text = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary' }))
const value: fc.Arbitrary<unknown> = fc.oneof(
  text,
  text,
  fc.jsonValue(),
  fc.array(text, { maxLength: 5 }),
  fc.integer(),
  fc.boolean(),
)
const call = fc.constantFrom(...TOOLS).chain(({ name, input }) => {
  const fields = Object.keys(Object(input).properties)
  const keys = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fields, 'id') }, text)
  // A question to somebody who is there would be waited for.
  const safe = (given: Record<string, unknown>) =>
    name === 'consult' ? { ...given, to: 'nobody' } : given
  const id = fc.option(fc.constantFrom('a', 'b', '../x'), { nil: undefined })
  return fc.tuple(fc.dictionary(keys, value, { maxKeys: 6 }), id).map(([given, id]) => ({
    method: 'tools/call',
    params: {
      name,
      arguments: safe(given),
      ...(id ? { _meta: { 'claudecode/toolUseId': id } } : {}),
    },
  }))
})
const request = fc.oneof(
  { weight: 6, arbitrary: call },
  fc.record({
    method: fc.constantFrom(
      'resources/read',
      'prompts/get',
      'tools/list',
      'resources/list',
      'initialize',
    ),
    params: fc.record({ uri: text, name: text, arguments: value }, { requiredKeys: [] }),
  }),
  fc.record({ method: text, params: value }),
)
const line = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(request, value)
      .map(([one, id]) => JSON.stringify({ jsonrpc: '2.0', id, ...one })),
  },
  fc.jsonValue().map((json) => JSON.stringify(json)),
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ' ')),
)
