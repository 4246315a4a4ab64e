import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import matter from 'gray-matter'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newTools, newToolsIn } from '../../scripts/claudeTools.mjs'
import { CHATTER_DESCRIPTION, CHATTER_PROMPT } from '../../src/worker/definition/chatter.ts'
import { cleanEnv } from '../e2e/harness/environment.ts'
import { ensureClaude } from '../e2e/harness/install.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const text = (path: string) => readFile(join(ROOT, path), 'utf8')
const json = async (path: string) => JSON.parse(await text(path))

describe('the table of tools', () => {
  test('has every tool of the pinned Claude Code', async () => {
    const binary = await realpath(await ensureClaude())
    expect(newToolsIn(join(binary, '..', '..'))).toEqual([])
  })

  test('lacks a tool that is new, and says where it cannot tell', () => {
    const names = Array.from({ length: 45 }, (_, at) => `Tool${'abcdefghij'[at % 10]}${at}`)
    const letters = names.map((name) =>
      name.replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? ''),
    )
    const program = (list: string[]) =>
      list
        .map((name, at) => `x={};var k${at}="${name}";y({name:k${at},maxResultSizeChars:1})`)
        .join(' ')
    const types = (list: string[]) =>
      `export type ToolInputSchemas =\n  | ${list.join('Input\n  | ')}Input;`
    const table = letters.join(' ')
    const of = (list: string[], typed = list) =>
      newTools({ types: types(typed), program: program(list), table })
    expect(of(letters)).toEqual([])
    expect(of([...letters, 'Frobnicate'], letters)).toEqual(['Frobnicate'])
    expect(of(letters, [...letters, 'FileRead', 'Frobnicate'])).toEqual(['Read', 'Frobnicate'])
    expect(() => of(letters.slice(0, 9), letters)).toThrow('cannot be read')
    expect(() => newTools({ types: '', program: program(letters), table })).toThrow(
      'cannot be read',
    )
  })
})

describe('the files of the plugin', () => {
  test('package, plugin and marketplace agree on name, version and licence', async () => {
    const [pack, plugin, market, room] = await Promise.all(
      [
        ...['package.json', '.claude-plugin/plugin.json', '.claude-plugin/marketplace.json'],
        'room/.claude-plugin/plugin.json',
      ].map(json),
    )
    expect(plugin).toMatchObject({ name: pack.name, version: pack.version, license: pack.license })
    expect(room).toMatchObject({ version: pack.version, license: pack.license })
    expect(market.plugins).toEqual([
      { name: plugin.name, source: './', description: plugin.description },
      { name: room.name, source: './room', description: room.description },
    ])
    for (const manifest of [plugin, market]) expect(manifest.description).toBe(pack.description)
    expect(await text('README.md')).toContain(pack.description.replace(/\.$/, ''))
    expect(await text('packaging/agent-chat.rb')).toContain(`/agent-chat-${pack.version}.tgz"`)
    for (const file of ['bin/agent-chat', 'packaging/install.sh'])
      expect(await text(file)).toContain(`\nversion=${pack.version}\n`)
    expect(await text('LICENSE')).toContain(`${plugin.license} License`)
  })

  test('the room has command hooks beside its module: an old client refuses a file without', async () => {
    expect(await json('room/hooks/hooks.json')).toMatchObject({
      modules: ['./room.js'],
      hooks: {},
    })
  })

  test('nothing is installed along with the plugin', async () => {
    const { dependencies, optionalDependencies, peerDependencies, overrides } =
      await json('package.json')
    expect({ dependencies, optionalDependencies, peerDependencies }).toEqual({})
    expect(overrides).toBeDefined()
  })

  test('every hook starts the entry, which needs no Node, with a limit', async () => {
    const { hooks } = await json('hooks/hooks.json')
    const handlers = Object.values(hooks as Record<string, { hooks: Handler[] }[]>).flatMap(
      (groups) => groups.flatMap((group) => group.hooks),
    )
    expect(handlers.length).toBeGreaterThan(0)
    for (const { command, args: [c, , script = '', option] = [], timeout } of handlers) {
      expect([command, c, option]).toEqual(['/bin/sh', '-c', '--hook'])
      expect(script).toMatch(/^\$\{CLAUDE_PLUGIN_ROOT\}\//)
      expect((await stat(script.replace(/^\$\{CLAUDE_PLUGIN_ROOT\}/, ROOT))).isFile()).toBe(true)
      expect(timeout).toBeGreaterThan(0)
    }
  })

  test('bin/agent-chat can be executed', async () => {
    expect((await stat(join(ROOT, 'bin/agent-chat'))).mode & 0o111).toBe(0o111)
    expect(await text('bin/agent-chat')).toMatch(/^#!\/bin\/sh\n/)
  })

  test('a skill has the name of its folder and a description within the limits', async () => {
    const folders = await readdir(join(ROOT, 'skills'))
    expect(folders.sort()).toEqual(['agent-chat', 'chat'])
    for (const folder of folders) {
      const { data, content } = matter(await text(`skills/${folder}/SKILL.md`), {})
      expect(data.name).toBe(folder)
      // 1,024 is the Agent Skills limit for a description, 1,536 what Claude Code's listing keeps
      // of both texts.
      expect(data.description).toMatch(/^[^<>]{20,1024}$/)
      expect(`${data.description} - ${data.when_to_use ?? ''}`.length).toBeLessThan(1536)
      expect(content.split('\n').length).toBeLessThan(500)
      // All of agent-chat would be too much: its launcher starts any program.
      expect(data['allowed-tools']).toMatch(
        /^Bash\(agent-chat [a-z]+:\*\)(, Bash\(agent-chat [a-z]+:\*\))*$/,
      )
    }
  })

  test('the skill is the model’s alone: the picker has /chat and nothing else', async () => {
    const { data } = matter(await text('skills/agent-chat/SKILL.md'), {})
    expect(data['user-invocable']).toBe(false)
  })

  test('the chatter of a session works by the same text as the one of agents init', async () => {
    expect(await readdir(join(ROOT, 'agents'))).toEqual(['chatter.md'])
    const { data, content } = matter(await text('agents/chatter.md'), {})
    expect(data).toMatchObject({ name: 'chatter', description: CHATTER_DESCRIPTION })
    expect(content.trim()).toBe(CHATTER_PROMPT)
  })

  test('/chat is the user’s alone, and the command file is the same text', async () => {
    const { data } = matter(await text('skills/chat/SKILL.md'), {})
    expect(data['disable-model-invocation']).toBe(true)
    expect(await realpath(join(ROOT, 'commands/chat.md'))).toBe(
      await realpath(join(ROOT, 'skills/chat/SKILL.md')),
    )
  })
})

describe('as the real Claude Code sees it', () => {
  let home = ''
  let claude = ''
  beforeAll(async () => {
    claude = await ensureClaude()
    home = await mkdtemp(join(tmpdir(), 'ac-manifest-'))
  }, 300_000)
  afterAll(() => rm(home, { recursive: true, force: true }))

  const run = (...args: string[]) =>
    promisify(execFile)(claude, args, {
      env: cleanEnv({ home, chat: join(home, 'chat'), apiUrl: 'http://127.0.0.1:9' }),
    })

  test('it passes the strict validation', async () => {
    expect((await run('plugin', 'validate', ROOT, '--strict')).stdout).toContain(
      'Validation passed',
    )
  })

  test('it passes the strict validation of the plugin directory', async () => {
    const validation = await run('plugin', 'validate', ROOT, '--strict', '--profile', 'directory')
    expect(validation.stdout).toContain('Validation passed')
  })

  test('it loads, and costs less than 700 tokens in every session', async () => {
    const { stdout } = await run('--plugin-dir', ROOT, 'plugin', 'details', 'agent-chat')
    expect(stdout).toMatch(/Skills \(2\) +agent-chat, chat\n/)
    expect(stdout).toMatch(/Agents \(1\) +chatter\n/)
    expect(Number(/Always-on: +~(\d+) tok/.exec(stdout)?.[1])).toBeLessThan(700)
  })
})

interface Handler {
  command: string
  args?: string[]
  timeout?: number
}
