import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IS_NATIVE, RUNTIME } from '../../../scripts/runtime.mjs'
import type { Check } from '../../setup/check.ts'
import { findProgram } from '../../system/programs.ts'
import { DIST, outcome, type Run, runCli, startCli } from '../../testing/cli.ts'
import { filesIn, tempDirectory, tempHome } from '../../testing/home.ts'
import { until } from '../../testing/until.ts'

const checksOf = (run: Run): Check[] => JSON.parse(run.stdout).checks
const find = (run: Run, name: string) => checksOf(run).filter((check) => check.name === name)

/**
 * Linux tells the working directory of every process; the throwaway tmux server, agent and watcher
 * have theirs under `place`.
 */
function processesIn(place: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`)
      return cwd.startsWith(place) ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`] : []
    } catch {
      return []
    }
  })
}

test('sends a message through a real doorbell, and leaves nothing of it', async () => {
  const home = tempHome()
  const TMPDIR = tempDirectory()
  const before = readdirSync(home.root, { recursive: true }).sort()
  const run = await runCli(['doctor', '--json'], { home: home.root, env: { TMPDIR } })
  expect(run.stderr).toBe('')
  expect(run.code).toBe(0)
  expect(JSON.parse(run.stdout).ok).toBe(true)
  expect(find(run, 'doorbell')).toEqual([
    {
      name: 'doorbell',
      status: 'ok',
      detail: expect.stringMatching(/^a message rang a real pane in \d+ ms$/),
    },
  ])
  expect(readdirSync(TMPDIR)).toEqual([])
  // The program in its pane is hung up, and ends a moment after the server.
  await until('its processes to end', () => processesIn(TMPDIR).length === 0)
  expect(readdirSync(home.root, { recursive: true }).sort()).toEqual(before)
})

test('Ctrl-C ends the proof and leaves nothing of it', async () => {
  const TMPDIR = tempDirectory()
  const child = startCli(['doctor', '--json'], { home: tempHome().root, env: { TMPDIR } })
  const ended = outcome(child)
  await until('a tmux server', () =>
    readdirSync(TMPDIR).some((name) => readdirSync(join(TMPDIR, name)).includes('tmux')),
  )
  child.kill('SIGINT')
  const run = await ended
  expect(find(run, 'doorbell')).toMatchObject([{ status: 'failed', detail: 'it was interrupted' }])
  expect(run.code).toBe(1)
  expect(readdirSync(TMPDIR)).toEqual([])
  // The program in its pane is hung up, and ends a moment after the server.
  await until('its processes to end', () => processesIn(TMPDIR).length === 0)
})

test('mends what a crash left, says so, and finds nothing the second time', async () => {
  const home = tempHome('backend', 'frontend')
  await runCli(['send', '@frontend', 'x', '--as', 'backend'], {
    home: home.root,
    env: { AGENT_CHAT_FAULT: 'send:written' },
  })
  chmodSync(home.messages, 0o755)
  const first = await runCli(['doctor', '--no-ring'], { home: home.root })
  expect(first.code).toBe(0)
  expect(first.stdout).toMatch(
    /^fixed {3}leftovers {3}a sender ended while it wrote a message; the message was never sent: \/.*\.tmp$/m,
  )
  expect(first.stdout).toMatch(/^fixed {3}leftovers {3}other users can read this/m)
  expect(filesIn(home.messages)).toEqual([])
  const second = await runCli(['doctor', '--no-ring'], { home: home.root })
  expect(second.stdout).toMatch(/^ok {6}leftovers {3}nothing left behind by a crash$/m)
  expect(second.stdout).not.toContain('\u001b')
})

test('a registry that cannot be read is kept aside', async () => {
  const home = tempHome()
  writeFileSync(home.sessions, 'not json')
  const run = await runCli(['doctor', '--no-ring', '--json'], { home: home.root })
  expect(find(run, 'leftovers')).toMatchObject([{ status: 'mended' }, { status: 'mended' }])
  expect(find(run, 'sessions')).toMatchObject([{ status: 'ok', detail: 'none registered' }])
  expect(
    readdirSync(home.root).filter((name) => name.startsWith('sessions.json.broken-')),
  ).toHaveLength(1)
})

test('without tmux: exit 7, what to install, and the rest is looked at all the same', async () => {
  const PATH = tempDirectory()
  const run = await runCli(['doctor', '--json'], { home: tempHome().root, env: { PATH } })
  expect(run.code).toBe(7)
  expect(find(run, 'tmux')).toMatchObject([
    { status: 'failed', hint: expect.stringContaining('tmux') },
  ])
  expect(find(run, 'claude')).toMatchObject([
    { status: 'warning', hint: expect.stringContaining('npm install -g') },
  ])
  expect(find(run, 'leftovers')).toHaveLength(1)
  expect(find(run, 'doorbell')).toMatchObject([
    { status: 'warning', detail: 'not tried: it needs tmux' },
  ])
})

test('tells old programs, and another agent-chat on PATH, from this one', async () => {
  const PATH = tempDirectory()
  const stub = (name: string, says: string) =>
    writeFileSync(join(PATH, name), `#!/bin/sh\necho ${says}\n`, { mode: 0o755 })
  stub('tmux', 'tmux 2.9a')
  stub('claude', "'2.1.329 (Claude Code)'")
  stub('agent-chat', 'someone else')
  const look = async () =>
    checksOf(await runCli(['doctor', '--json'], { home: tempHome().root, env: { PATH } }))
  expect(await look()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'tmux',
        status: 'failed',
        detail: '2.9a is too old: 3.0 is needed',
      }),
      { name: 'claude', status: 'ok', detail: '2.1.329' },
      expect.objectContaining({
        name: 'agent-chat',
        status: 'warning',
        detail: `another one is first on PATH: ${PATH}/agent-chat`,
      }),
    ]),
  )
  const own = tempDirectory()
  symlinkSync(join(DIST, '..', 'bin', 'agent-chat'), join(own, 'agent-chat'))
  const run = await runCli(['doctor', '--json', '--no-ring'], {
    home: tempHome().root,
    env: { PATH: `${own}:${process.env.PATH}` },
  })
  expect(find(run, 'agent-chat')).toEqual([
    { name: 'agent-chat', status: 'ok', detail: join(own, 'agent-chat') },
  ])
})

test("no home yet is no fault; a home that is a file, or another user's, is one", async () => {
  const place = tempDirectory()
  const look = async (root: string) =>
    runCli(['doctor', '--no-ring', '--json'], { home: root, env: { HOME: place } })
  const none = await look(join(place, 'none'))
  expect([none.code, find(none, 'home')[0]?.status, readdirSync(place)]).toEqual([0, 'warning', []])
  writeFileSync(join(place, 'file'), '')
  const file = await look(join(place, 'file'))
  expect([file.code, find(file, 'home')[0]?.status]).toEqual([1, 'failed'])
  if (process.getuid?.() !== 0) return
  mkdirSync(join(place, 'theirs'))
  chownSync(join(place, 'theirs'), 12_345, 12_345)
  const theirs = await look(join(place, 'theirs'))
  expect(theirs.code).toBe(1)
  expect(find(theirs, 'home')).toMatchObject([
    {
      status: 'failed',
      detail: expect.stringContaining('another user'),
      hint: expect.stringContaining('AGENT_CHAT_HOME'),
    },
  ])
  expect(readdirSync(join(place, 'theirs'))).toEqual([])
})

test('tells the faults that hooks met in the last day', async () => {
  const home = tempHome()
  const line = (ageMs: number, text: string) =>
    `${new Date(Date.now() - ageMs).toISOString()} ${text}\n`
  writeFileSync(home.hookLog, line(90_000_000, 'stop: old'))
  const before = await runCli(['doctor', '--no-ring', '--json'], { home: home.root })
  expect(find(before, 'hooks')).toMatchObject([{ status: 'ok' }])
  writeFileSync(home.hookLog, line(90_000_000, 'stop: old') + line(5000, 'stop: new'))
  const after = await runCli(['doctor', '--no-ring', '--json'], { home: home.root })
  expect(find(after, 'hooks')).toMatchObject([
    { status: 'warning', detail: expect.stringMatching(/^1 fault .*stop: new$/) },
  ])
})

test('in a terminal: signs, in colour, but not with NO_COLOR', async () => {
  const tmux = findProgram('tmux', process.env)
  expect(tmux).toBeDefined()
  const { systemTmux } = await import('../../system/tmux.ts')
  const place = tempDirectory()
  const socket = join(place, 't')
  const server = systemTmux(() => '')
  const show = async (name: string, env: string[]) => {
    const program = [RUNTIME, join(DIST, 'main.js'), 'doctor', '--no-ring']
    const argv = [
      'env',
      ...env,
      `AGENT_CHAT_HOME=${place}/home`,
      `HOME=${place}`,
      'sh',
      '-c',
      '"$@"; exec cat',
      'sh',
    ]
    const session = [
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-s',
      name,
      '-x',
      '150',
      '-y',
      '30',
      '--',
    ]
    await server.run([...session, ...argv, ...program], socket)
    return until('the last line', async () => {
      const { stdout } = await server.run(['capture-pane', '-p', '-e', '-t', name], socket)
      return stdout.includes('events') && stdout
    })
  }
  try {
    const node = `node {8}${IS_NATIVE ? 'not needed' : '\\d'}`
    expect(await show('colour', ['-u', 'NO_COLOR'])).toMatch(
      new RegExp(`\u001b\\[32m✓\u001b\\[39m ${node}`),
    )
    expect(await show('plain', ['NO_COLOR=1'])).toMatch(new RegExp(`^ok {6}${node}`, 'm'))
  } finally {
    await server.run(['kill-server'], socket)
  }
})
