import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tempDirectory } from '../testing/home.ts'
import { type Entry, withEntry, withoutEntry } from './jsonEntry.ts'
import { setUpMcp } from './mcp.ts'
import { hostConfig, MCP_HOSTS } from './mcpHosts.ts'

const ENTRY: Entry = { path: ['mcpServers', 'agent-chat'], value: { command: 'node', args: ['x'] } }
const SERVER = { node: '/usr/bin/node', script: '/opt/agent chat/dist/main.js' }

/** Objects as other programs write them, some with servers of their own. */
const objects = fc.record(
  {
    theme: fc.jsonValue(),
    mcpServers: fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => key !== 'agent-chat'),
      fc.jsonValue(),
    ),
    '"mcpServers": {': fc.string(),
  },
  { requiredKeys: [] },
)
const texts = fc
  .tuple(objects, fc.constantFrom(0, 1, 2, 4, '\t'), fc.constantFrom('', '\n', '\n\n'))
  .map(([value, indent, end]) => JSON.stringify(value, null, indent) + end)

describe('an entry in a JSON file', () => {
  test('is there, changes nothing else, and is taken out byte for byte', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const added = withEntry(text, ENTRY) ?? ''
        const before = JSON.parse(text)
        expect(JSON.parse(added)).toEqual({
          ...before,
          mcpServers: { ...before.mcpServers, 'agent-chat': ENTRY.value },
        })
        expect(withoutEntry(added, ENTRY)).toBe(text)
      }),
    )
  })

  test('is taken out where the host has written the file anew, or another version put it in', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), (text, other) => {
        const put = other ? { ...ENTRY, value: { command: 'old' } } : ENTRY
        const anew = JSON.stringify(JSON.parse(withEntry(text, put) ?? ''), null, 2)
        const before = JSON.parse(text)
        // What looks as if it had been written into an empty file leaves an empty file.
        const without = JSON.parse(withoutEntry(anew, ENTRY) || '{}')
        expect({ mcpServers: {}, ...without }).toEqual({ mcpServers: {}, ...before })
      }),
    )
  })

  test.each([
    ['no object', '[1]'],
    ['two values', '{} {}'],
    ['cut short', '{"mcpServers": {"a": '],
    ['servers that are no object', '{"mcpServers": 3}'],
  ])('%s: nothing is changed', (_, text) => {
    expect(withEntry(text, ENTRY)).toBeUndefined()
  })

  test('comments stay', () => {
    const text = '// mine\n{\n  // servers\n  "mcpServers": { /* none */ }, "a": "}"\n}\n'
    const added = withEntry(text, ENTRY) ?? ''
    expect(added).toContain('"agent-chat"')
    expect(withoutEntry(added, ENTRY)).toBe(text)
  })
})

describe.each(MCP_HOSTS)('the configuration of %s', (host) => {
  const TEXTS =
    host === 'codex'
      ? ['', 'model = "x"\n', 'model = "x"', '[a]\nb = 1\n\n']
      : ['', '{}', '{}\n', '{"a": {"b": [1]}}\n']

  test.each(TEXTS)('%j is as it was after adding and removing', (text) => {
    const home = tempDirectory()
    const env = { HOME: home }
    const { path } = hostConfig(host, SERVER, env, home)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    chmodSync(path, 0o640)
    const run = (remove: boolean) => setUpMcp(host, remove, SERVER, env, home)
    expect(run(false)).toMatchObject({ status: 'ok', detail: expect.stringContaining(path) })
    expect(readFileSync(path, 'utf8')).toContain('/opt/agent chat/dist/main.js')
    const once = readFileSync(path, 'utf8')
    run(false)
    expect(readFileSync(path, 'utf8')).toBe(once)
    run(true)
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(run(true).detail).toContain('has no server')
  })

  test('a server of ours from another place is started from here; one that somebody wrote stays', () => {
    const home = tempDirectory()
    const { path } = hostConfig(host, SERVER, {}, home)
    const run = (script: string) => setUpMcp(host, false, { ...SERVER, script }, {}, home)
    run('/old \\ one/dist/main.js')
    const old = readFileSync(path, 'utf8')
    expect(run(SERVER.script).detail).toContain('from the next session')
    const now = readFileSync(path, 'utf8')
    expect(now).not.toContain('/old ')
    expect(run(SERVER.script).detail).toContain('already')
    run('/old \\ one/dist/main.js')
    expect(readFileSync(path, 'utf8')).toBe(old)
    const own = now.replace(/"[^"]*main\.js"/, '"/mine/tool.js"')
    writeFileSync(path, own)
    expect(run(SERVER.script).detail).toContain('already')
    expect(readFileSync(path, 'utf8')).toBe(own)
  })

  test('a file that was not there is made, and goes again', () => {
    const home = tempDirectory()
    const { path } = hostConfig(host, SERVER, {}, home)
    setUpMcp(host, false, SERVER, {}, home)
    expect(statSync(path).mode & 0o077).toBe(0)
    setUpMcp(host, true, SERVER, {}, home)
    expect(existsSync(path)).toBe(false)
  })
})

test('a link stays a link, and what cannot be read stays as it is', () => {
  const home = tempDirectory()
  const real = join(home, 'dotfiles.json')
  writeFileSync(real, '{\n  "a": 1\n}\n')
  symlinkSync(real, join(home, '.claude.json'))
  setUpMcp('claude', false, SERVER, {}, home)
  expect(JSON.parse(readFileSync(real, 'utf8')).mcpServers).toHaveProperty('agent-chat')
  setUpMcp('claude', true, SERVER, {}, home)
  expect(readFileSync(real, 'utf8')).toBe('{\n  "a": 1\n}\n')
  for (const bad of ['{"a": ', Buffer.from([0x7b, 0xff, 0x7d])]) {
    writeFileSync(real, bad)
    expect(() => setUpMcp('claude', false, SERVER, {}, home)).toThrow('left unchanged')
    expect(readFileSync(real).equals(Buffer.from(bad))).toBe(true)
  }
})
