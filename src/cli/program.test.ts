import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isReserved } from '../message/name.ts'
import { GROUPS } from '../message/verb.ts'
import { verbs } from '../message/verbs.ts'
import { outcome, ROOT, runCli } from '../testing/cli.ts'
import { tempDirectory, tempHome } from '../testing/home.ts'
import { version } from '../version.ts'

const run = (...args: string[]) => runCli(args, { home: tempDirectory() })

describe('help', () => {
  test.each(verbs().map(({ word }) => word))(
    '%s --help shows usage and an example',
    async (name) => {
      const { code, stdout, stderr } = await run(name, '--help')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(new RegExp(`^Usage: agent-chat ${name}`))
      expect(stdout).toMatch(/\nExample:\n {2}agent-chat /)
    },
  )

  test('its first screen has twelve commands, and says where the rest is', async () => {
    const { code, stdout } = await run('--help')
    expect(code).toBe(0)
    expect(stdout.match(/^ {2}[a-z]+(?= )/gm)?.map((word) => word.trim())).toEqual(
      'start attach stop who send ask reply inbox task console pause doctor'.split(' '),
    )
    expect(stdout).toContain('\nEvery command: agent-chat help --all\n')
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  test.each(['help', '-h', '--help --json'])('%s is the first screen', async (line) =>
    expect((await run(...line.split(' '))).stdout).toBe((await run('--help')).stdout),
  )

  test.each(['--help --all', '-h --all'])('%s is help --all', async (line) =>
    expect((await run(...line.split(' '))).stdout).toBe((await run('help', '--all')).stdout),
  )

  test('as data, help --all has each command with its summary', async () => {
    const { stdout } = await run('help', '--all', '--json')
    const shown = verbs().filter((verb) => !verb.hidden)
    expect(JSON.parse(stdout)).toEqual(
      Object.fromEntries(shown.map(({ word, summary }) => [word, summary])),
    )
  })

  test('help --all names every command in its group, within 80 columns and 41 rows', async () => {
    const { code, stdout } = await run('help', '--all')
    expect(code).toBe(0)
    const rows = [...stdout.matchAll(/^([A-Z][a-z]+)? +([a-z, -]+?) {2,}[A-Z].*$/gm)]
    const words = rows.flatMap(([, , shared = '']) => shared.split(', '))
    expect(words).toEqual(verbs().flatMap((verb) => ('hidden' in verb ? [] : verb.word)))
    expect(rows.flatMap(([, group]) => group ?? [])).toEqual(GROUPS)
    const lines = stdout.split('\n')
    // One more row is the prompt's.
    expect(lines.length).toBeLessThanOrEqual(41)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })

  test('--version is that of the package', async () => {
    expect(await run('--version')).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
  })
})

describe('a word that is no command', () => {
  test.each([
    ['snd', 'send'],
    ['sned', 'send'],
    ['inbx', 'inbox'],
    ['hsitory', 'history'],
    ['docter', 'doctor'],
    ['whoo', 'who'],
  ])('%s is taken for a slip of %s', async (word, meant) => {
    const result = await run(word)
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toMatch(
      new RegExp(
        `^agent-chat: there is no command "${word}"\n  hint: did you mean: agent-chat ${meant}`,
      ),
    )
  })

  test.each([
    ['../x', []],
    ['x y', []],
    ['a\u001b[2J', []],
    ['frobnicate', ['@frontend', 'hello']],
    ['', []],
  ])('%j is bad usage', async (word, rest) => {
    const result = await run(word, ...rest)
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toMatch(/^agent-chat: [^\n]+\n {2}hint: [^\n]+\n$/)
    expect(result.stderr).not.toContain('\u001b')
  })
})

test('every command is a word that no session may be called', () => {
  expect(verbs().filter(({ word }) => !isReserved(word))).toEqual([])
})

describe('every command that does not wait', () => {
  const home = () => tempHome('backend', 'frontend').root
  const LINES: string[][] = [
    ['send', '@frontend', 'x', '--as', 'backend'],
    ['inbox', 'frontend'],
    ['history'],
    ['who'],
    ['join', 'docs', '--no-watch'],
    ['leave', 'frontend'],
  ]

  test.each(LINES)('%s prints plain text into a pipe, and JSON when asked', async (...args) => {
    for (const env of [{}, { NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      const plain = await runCli(args, { home: home(), env })
      expect(plain.code).toBe(0)
      expect(plain.stdout).not.toContain('\u001b')
    }
    const json = await runCli([...args, '--json'], { home: home() })
    expect(json).toMatchObject({ code: 0, stderr: '' })
    expect(json.stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(typeof JSON.parse(json.stdout)).toBe('object')
  })

  test.each([
    ['inbox', 'frontend', 'more'],
    ['history', '--unknown'],
    ['who', 'a', 'b'],
    ['join'],
    ['leave', 'a', 'b'],
    ['show'],
  ])('%s with the wrong arguments is bad usage, in the same two lines', async (...args) => {
    const result = await runCli(args, { home: home() })
    expect(result).toMatchObject({ code: 2, stdout: '' })
    expect(result.stderr).toMatch(/^agent-chat: [^\n]+\n {2}hint: [^\n]+\n$/)
  })

  test('shows a stack trace only with AGENT_CHAT_DEBUG=1', async () => {
    const args = ['send', '@nobody', 'x', '--as', 'backend']
    expect((await runCli(args, { home: home() })).stderr).not.toMatch(/\n +at /)
    expect((await runCli(args, { home: home(), env: { AGENT_CHAT_DEBUG: '1' } })).stderr).toMatch(
      /\n +at /,
    )
  })
})

test('a Node that is too old says so, and which to install', async () => {
  const old = join(tempDirectory(), 'old.cjs')
  writeFileSync(
    old,
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '12.22.9' } })\n",
  )
  const start = (...args: string[]) =>
    outcome(
      spawn(process.execPath, ['-r', old, join(ROOT, 'bin', 'on-node'), ...args], { env: {} }),
    )
  const run = await start('who')
  expect(run).toMatchObject({ code: 7, stdout: '' })
  expect(run.stderr).toMatch(
    /^agent-chat: Node 12\.22\.9 is too old\n {2}hint: install Node 20\.19 [^\n]+\n$/,
  )
  expect(JSON.parse((await start('who', '--json')).stderr)).toMatchObject({
    error: { code: 'PROGRAM_MISSING' },
  })
  // What that Node would have to read: nothing that came after its first versions.
  expect(readFileSync(join(ROOT, 'bin', 'on-node'), 'utf8')).not.toMatch(
    /=>|\b(const|let|class|import)\b|`|\?\./,
  )
})
