import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { HERE } from '../../scripts/native/platforms.mjs'
import { NATIVE } from '../../scripts/runtime.mjs'
import { cleanEnv, DIST, outcome, ROOT, type Run } from '../../src/testing/cli.ts'
import { tempBus, tempDirectory } from '../../src/testing/home.ts'
import { version } from '../../src/version.ts'

const PACKAGES = join(ROOT, 'native', 'packages')

beforeAll(() => {
  const options = { cwd: ROOT, stdio: 'pipe' } as const
  execFileSync(process.execPath, ['scripts/native.mjs'], options)
  execFileSync(process.execPath, ['scripts/native/pack.mjs'], options)
}, 300_000)

type Step = { file?: string; args: string[]; as?: string; input?: string; kill?: NodeJS.Signals }

const INITIALIZE = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'host', version: '1' },
  },
})

/** Commands and hooks of one small day; some fail. Ids and times are of one length, and made equal. */
const DAY: Step[] = [
  { args: ['--version'] },
  { args: ['--help'] },
  { args: ['send', '--help'] },
  { args: ['nosuch', '--json'] },
  { args: ['who'] },
  { args: ['join', 'backend', '--no-watch'] },
  { args: ['join', 'frontend', '--no-watch'] },
  { args: ['send', '@backend', 'hé\u200bllo'], as: 'frontend' },
  { args: ['send', '@backend', '-'], as: 'frontend', input: 'über *alles*\n' },
  { args: ['send', '@backnd', 'x'], as: 'frontend' },
  { args: ['send', '@backend', '--file', '/none', '--json'], as: 'frontend' },
  { args: ['send', '@backend', '--wait', 'read', '--timeout', '1', 'x'], as: 'frontend' },
  { file: 'hook.js', args: ['session-start'], as: 'backend', input: '{"session_id":"s1"}' },
  { file: 'hook.js', args: ['user-prompt-submit'], as: 'backend', input: '{"prompt":"go"}' },
  {
    file: 'hook.js',
    args: ['pre-tool-use'],
    as: 'backend',
    input: '{"session_id":"s1","tool_name":"Bash","tool_input":{"command":"rm -rf /tmp/x"}}',
  },
  { file: 'hook.js', args: ['stop'], as: 'backend', input: 'not json' },
  { file: 'hook.js', args: ['nosuch'], as: 'backend', input: '{}' },
  { args: ['inbox', '--json'], as: 'backend' },
  { args: ['inbox'], as: 'backend' },
  { args: ['task', '@frontend', 'Page the list'], as: 'backend' },
  { args: ['tasks', '--json'], as: 'backend' },
  { args: ['status'], as: 'backend' },
  { args: ['ask', '@frontend', 'ready?', '--timeout', '30'], as: 'backend', kill: 'SIGINT' },
  { args: ['agents', 'init'] },
  { args: ['agents', 'check'] },
  { args: ['schedule', '@coder', '0 7 * * 1-5', 'x'], as: 'backend' },
  { args: ['gate', '--try', 'git push', '--json'] },
  { args: ['search', 'über'] },
  { args: ['export', '--json'] },
  { args: ['history', '--limit', '3'] },
  { args: ['mcp'], input: `${INITIALIZE}\n` },
]

describe('the native program', () => {
  test('answers as Node does', async () => {
    const [node, native] = await Promise.all([dayOn(process.execPath), dayOn(NATIVE)])
    expect(native).toEqual(node)
    expect(new Set(node.map(({ code }) => code)).size).toBeGreaterThan(3)
  }, 120_000)

  test('reads no settings of the directory that it is run in', async () => {
    const cwd = tempDirectory()
    writeFileSync(join(cwd, '.env'), 'AGENT_CHAT_NAME=intruder\n')
    writeFileSync(join(cwd, 'bunfig.toml'), 'preload = ["./evil.js"]\n')
    writeFileSync(join(cwd, 'evil.js'), 'process.exit(99)\n')
    const run = await runOn(NATIVE, { args: ['whoami'] }, cwd, cwd)
    expect([run.code, run.stdout]).toEqual([6, ''])
  })

  test('compiles nothing in a short run by the entry, and what that starts knows nothing of it', async () => {
    const { env } = machine()
    await run(NATIVE, [join(DIST, 'main.js'), 'setup', '--native', NATIVE], env)
    const preload = join(tempDirectory(), 'preload.js')
    writeFileSync(
      preload,
      `const before = process.env.BUN_JSC_useJIT
process.on('exit', () => console.error('jit', before, process.env.BUN_JSC_useJIT))\n`,
    )
    const entry = join(ROOT, 'bin', 'agent-chat')
    const own = { ...env, BUN_OPTIONS: `--preload=${preload}` }
    const saysOf = async (...args: string[]) => (await run(entry, args, own)).stderr
    expect(await saysOf('who')).toContain('jit 0 undefined')
    // No file is loaded before a hook.
    expect(await saysOf('--hook', 'stop')).not.toContain('jit')
    expect(await saysOf('doctor')).toContain('jit undefined undefined')
  })

  test('serves the page, and ends when it is told to', async () => {
    const home = tempDirectory()
    const args = [join(DIST, 'main.js'), 'web', '--port', '0', '--json']
    const child = spawn(NATIVE, args, { env: cleanEnv({ home }), cwd: '/' })
    const ended = outcome(child)
    const [line] = await once(child.stdout, 'data')
    const { address } = JSON.parse(String(line)) as { address: string }
    expect((await fetch(`${address}/`)).status).toBe(401)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('without Node on PATH', () => {
  test('install.sh installs it into an empty HOME: command, hooks, and a second time', async () => {
    const { home, env } = machine()
    const sh = (...args: string[]) => run('sh', [join(PACKAGES, 'install.sh'), ...args], env)
    const dry = await sh('--dry-run', '--from', PACKAGES)
    expect([dry.code, readdirSync(home)]).toEqual([0, []])
    const done = await sh('--from', PACKAGES)
    expect(done.stdout).toContain('native program (Bun')
    expect(done.stdout).toContain('a message rang a real pane')
    const link = join(home, '.local', 'bin', 'agent-chat')
    expect(await run(link, ['--version'], env)).toMatchObject({ code: 0, stdout: `${version}\n` })
    // The plugin's own entry, as Claude Code starts it from its copy.
    const hook = [join(ROOT, 'bin', 'agent-chat'), '--hook', 'session-start']
    await run(link, ['join', 'backend', '--no-watch'], env)
    await run(link, ['send', '@backend', 'hi', '--as', 'frontend'], env)
    const told = await run('sh', hook, { ...env, AGENT_CHAT_NAME: 'backend' }, '{"session_id":"s"}')
    expect(told.stdout).toContain('1 message is unread')
    expect((await run(link, ['setup', '--no-native'], env)).code).toBe(0)
    expect(await run(link, ['who'], env)).toMatchObject({ code: 7, stdout: '' })
    // No prompt is disturbed by what cannot run.
    expect(await run('sh', hook, env, '{}')).toMatchObject({ code: 0, stdout: '' })
  }, 120_000)

  test('a file that is not that of its checksum installs nothing', async () => {
    const { home, env } = machine()
    const release = tempDirectory()
    for (const file of readdirSync(PACKAGES))
      symlinkSync(join(PACKAGES, file), join(release, file.replace(HERE, 'other')))
    writeFileSync(join(release, `agent-chat-${HERE}-${version}.tgz`), 'not this')
    const args = [join(PACKAGES, 'install.sh'), '--from', release]
    const refused = await run('sh', args, env)
    expect([refused.code, readdirSync(home)]).toEqual([1, []])
    expect(refused.stderr).toMatch(/is not the file of its checksum\n {2}hint: /)
  })

  test('the hooks of another agent run as setup has written them, whatever the path', async () => {
    const { home, env } = machine()
    const root = join(tempDirectory(), "a user's clone")
    cpSync(ROOT, root, { recursive: true, filter: (path) => isOfClone(path) })
    const link = join(root, 'bin', 'agent-chat')
    await run(NATIVE, [join(DIST, 'main.js'), 'setup', '--native', NATIVE], env)
    const gemini = join(env.PATH ?? '', 'gemini')
    writeFileSync(gemini, '#!/bin/sh\necho 99.0.0\n', { mode: 0o755 })
    expect(await run(link, ['setup', '--agent', 'gemini'], env)).toMatchObject({ code: 0 })
    await run(link, ['join', 'backend', '--no-watch'], env)
    // This process is the agent: its hooks speak for a session that it is.
    const registry = join(env.AGENT_CHAT_HOME ?? '', 'sessions.json')
    const { backend } = JSON.parse(readFileSync(registry, 'utf8'))
    const session = { ...backend, program: 'gemini', agent: tempBus().processes.self() }
    writeFileSync(registry, JSON.stringify({ backend: session }))
    await run(link, ['send', '@backend', 'hi', '--as', 'frontend'], env)
    const { hooks } = JSON.parse(readFileSync(join(home, '.gemini', 'settings.json'), 'utf8'))
    const hook = (event: string, input: object) => {
      const own = { ...env, AGENT_CHAT_NAME: 'backend' }
      const [{ command }] = hooks[event][0].hooks
      return run('sh', ['-c', command], own, JSON.stringify({ session_id: 's', ...input }))
    }
    const told = await hook('SessionStart', { source: 'startup' })
    expect([told.code, told.stderr, told.stdout]).toEqual([
      0,
      '',
      expect.stringContaining('1 message is unread'),
    ])
    expect((await run(link, ['doctor', '--no-ring'], env)).stdout).toMatch(/gemini.*hooks set up/)
    await run(link, ['setup', '--no-native'], env)
    expect(await hook('SessionStart', {})).toMatchObject({ code: 0, stdout: '' })
    const call = await hook('BeforeTool', { tool_name: 'write_file', tool_input: {} })
    expect([call.code, call.stdout]).toEqual([0, expect.stringContaining('its hook cannot run')])
  })

  test('the packages of npm run side by side, and another version never', async () => {
    const { env } = machine()
    const modules = join(tempDirectory(), 'node_modules')
    for (const name of ['agent-chat', `agent-chat-${HERE}`]) {
      const folder = join(modules, name)
      mkdirSync(folder, { recursive: true })
      const tarball = join(PACKAGES, `${name}-${version}.tgz`)
      execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
    }
    const entry = join(modules, 'agent-chat', 'bin', 'agent-chat')
    const link = join(tempDirectory(), 'agent-chat')
    symlinkSync(entry, link)
    expect(await run(link, ['--version'], env)).toMatchObject({ code: 0, stdout: `${version}\n` })
    const own = join(modules, `agent-chat-${HERE}`, 'bin')
    execFileSync('mv', [join(own, `agent-chat-${version}`), join(own, 'agent-chat-0.9.0')])
    expect(await run(link, ['--version'], env)).toMatchObject({ code: 7 })
  })
})

function isOfClone(path: string): boolean {
  const [first = ''] = path.slice(ROOT.length).split('/').filter(Boolean)
  return ['', 'bin', 'dist', 'hooks', 'hosts', 'skills', 'package.json'].includes(first)
}

async function dayOn(runtime: string): Promise<Run[]> {
  const home = join(tempDirectory(), 'home')
  mkdirSync(home, { mode: 0o700 })
  const runs: Run[] = []
  for (const step of DAY) runs.push(same(await runOn(runtime, step, home), home))
  return runs
}

function runOn(runtime: string, step: Step, home: string, cwd = '/'): Promise<Run> {
  const { file = 'main.js', args, as, input = '', kill } = step
  const env = cleanEnv({ home, env: as === undefined ? {} : { AGENT_CHAT_NAME: as } })
  const child = spawn(runtime, [join(DIST, file), ...args], { env, cwd })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  if (kill) child.stderr.once('data', () => child.kill(kill))
  return outcome(child)
}

/** What differs from run to run, made equal: the home, times, ids, the words of an errno. */
function same(run: Run, home: string): Run {
  const plain = (text: string) =>
    text
      .replaceAll(home, '<home>')
      .replaceAll(/\d{8}T\d{6}\.\d{6}Z/g, '<time>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d\d:\d\d(:\d\d)?\b/g, '<time>')
      .replaceAll(/\b(?=[a-z]*\d)[a-z\d]{4,6}\b/g, '<id>')
      .replaceAll(/\b\d+ m?s\b|\b\d+ seconds ago|just now/g, '<while>')
  return { ...run, stdout: plain(run.stdout), stderr: plain(run.stderr) }
}

/** A HOME with nothing in it, and a PATH of what a system has, but no Node. */
function machine(): { home: string; env: Record<string, string> } {
  const home = tempDirectory()
  const bin = tempDirectory()
  for (const place of ['/bin', '/usr/bin'])
    for (const name of readdirSync(place))
      if (!/^(node|npm|npx|bun)/.test(name) && !existsSync(join(bin, basename(name))))
        symlinkSync(join(place, name), join(bin, name))
  return { home, env: { HOME: home, PATH: bin, AGENT_CHAT_HOME: join(home, 'agent-chat') } }
}

function run(
  program: string,
  args: string[],
  env: Record<string, string>,
  input = '',
): Promise<Run> {
  const child = spawn(program, args, { env, cwd: '/', timeout: 60_000 })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return outcome(child)
}
