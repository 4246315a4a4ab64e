import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Home, homeAt } from '../../bus/home.ts'
import { verbs } from '../../message/verbs.ts'
import { noteLaunch } from '../../session/launched.ts'
import { systemProcesses } from '../../system/processes.ts'
import { type RunOptions, runCli } from '../../testing/cli.ts'
import { eventsOf, filesIn, tempHome } from '../../testing/home.ts'

const run = (home: Home, args: string[], options: Partial<RunOptions> = {}) =>
  runCli(args, { home: home.root, ...options })
const join = (home: Home, ...args: string[]) => run(home, ['join', '--no-watch', ...args])
const sessions = (home: Home) => JSON.parse(readFileSync(home.sessions, 'utf8'))

describe('join', () => {
  test('registers a session where there was no home at all', async () => {
    const home = homeAt(`${tempHome().root}/new/home`)
    expect(await join(home, '@backend')).toMatchObject({
      code: 0,
      stdout: 'joined as @backend\n',
      stderr: `agent-chat: made the home ${home.root}\n`,
    })
    const file = `${home.root}/sessions.json`
    expect(JSON.parse(readFileSync(file, 'utf8')).backend).toMatchObject({
      name: 'backend',
      pane: null,
      joined_at: expect.stringMatching(/^\d{4}-/),
    })
    expect(existsSync(`${home.root}/inbox/backend/read`)).toBe(true)
  })

  test('where neither a pane nor an agent is, it says that nothing rings, unless nothing should', async () => {
    const home = tempHome()
    const quietly = [['--no-watch'], ['--doorbell', 'stdout'], ['--json']]
    for (const args of quietly)
      expect((await run(home, ['join', 'backend', ...args])).stderr).toBe('')
    expect(await run(home, ['join', 'backend'])).toMatchObject({
      code: 0,
      stdout: 'joined as @backend\n',
      stderr:
        'agent-chat: nothing can wake it: it is not in a tmux pane or Claude Code; read with: agent-chat inbox backend\n',
    })
  })

  test('--json gives the session, and what waits for it', async () => {
    const home = tempHome('frontend')
    await run(home, ['send', '@frontend', 'x', '--as', 'backend'])
    expect((await join(home, 'frontend')).stdout).toBe(
      'joined as @frontend; 1 unread message; read with: agent-chat inbox frontend\n',
    )
    expect(JSON.parse((await join(home, 'frontend', '--json')).stdout)).toMatchObject({
      name: 'frontend',
      pane: null,
      tmux_socket: null,
      agent: null,
      cwd: '/',
      watcher: null,
      unread: 1,
    })
  })

  const BAD = [
    '',
    '@',
    '../x',
    'A',
    '1a',
    'a b',
    'a'.repeat(33),
    'é',
    'a\nb',
    '%1',
    '@@a',
    'a/b',
    'a;b',
    '$(x)',
    'human',
    'all',
  ]
  test('refuses every name that is none or that means something', async () => {
    const home = tempHome('docs')
    const runs = await Promise.all(
      [
        ...BAD,
        ...verbs()
          .slice(0, 4)
          .map(({ word }) => word),
      ].map((name) => join(home, '--', name)),
    )
    for (const { code, stdout, stderr } of runs) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^agent-chat: [^\n]+\n {2}hint: [^\n]+\n$/)
    }
    expect(Object.keys(sessions(home))).toEqual(['docs'])
    expect(filesIn(home.inboxes)).toEqual([])
    expect((await join(home, '-x')).code).toBe(2)
  })

  test('a name whose session is alive elsewhere is taken, unless --force', async () => {
    const home = tempHome('backend')
    const alive = { backend: { name: 'backend', agent: systemProcesses().self() } }
    writeFileSync(home.sessions, JSON.stringify(alive))
    const taken = await join(home, 'backend')
    expect(taken).toMatchObject({ code: 8, stdout: '' })
    expect(taken.stderr).toMatch(
      /@backend is already running as process \d+.*\n {2}hint: .*backend-2; .*--force\n$/,
    )
    expect(sessions(home)).toEqual(alive)
    expect((await join(home, 'backend', '--force')).code).toBe(0)
    expect(sessions(home).backend.agent).toBeNull()
  })

  test('a name whose session is gone is free', async () => {
    const home = tempHome()
    writeFileSync(
      home.sessions,
      JSON.stringify({ backend: { agent: { pid: process.pid, started: 'another boot' } } }),
    )
    expect((await join(home, 'backend')).code).toBe(0)
  })

  test('a pane that tmux does not have is bad usage', async () => {
    const home = tempHome()
    const env = { TMUX_TMPDIR: home.root }
    for (const pane of ['%999', 'no such', '-t', '; ls', '$(x)'])
      expect(await run(home, ['join', 'backend', '--', pane], { env })).toMatchObject({
        code: 2,
        stdout: '',
      })
    expect(existsSync(home.sessions) ? sessions(home) : {}).toEqual({})
  })
})

describe('leave', () => {
  test('unregisters, keeps what is unread, and says so', async () => {
    const home = tempHome('backend', 'frontend')
    await run(home, ['send', '@frontend', 'kept', '--as', 'backend'])
    expect(await run(home, ['leave', 'frontend'])).toMatchObject({
      code: 0,
      stdout: '@frontend has left; 1 unread message kept\n',
    })
    expect(Object.keys(sessions(home))).toEqual(['backend'])
    expect(filesIn(home.inbox('frontend'))).toHaveLength(1)
    expect(eventsOf(home, 'left')).toMatchObject([{ name: 'frontend' }])
    expect((await run(home, ['inbox', 'frontend'])).stdout).toContain('kept')
    expect(JSON.parse((await run(home, ['leave', 'backend', '--json'])).stdout)).toEqual({
      name: 'backend',
      unread: 0,
    })
  })

  test('takes a session whose agent ended by itself off the list of who needs you', async () => {
    const home = tempHome()
    const self = systemProcesses().self()
    const [boot = ''] = /^[0-9a-f]{8}-/.exec(self.started) ?? []
    const at = new Date().toISOString()
    const launch = {
      ...{ program: null, command: null, args: [], cwd: '/', config: null, server: null },
      ...{ agent: { pid: 4_000_000, started: `${boot}1` }, started: at },
      fell: { code: 137, signal: 'SIGKILL', at },
    }
    noteLaunch({ home }, 'backend', launch)
    const rows = async () => JSON.parse((await run(home, ['--json'])).stdout).needs_you
    expect(await rows()).toMatchObject([{ session: 'backend', reason: 'failed' }])
    expect((await run(home, ['leave', 'backend'])).code).toBe(0)
    expect(await rows()).toEqual([])
    expect((await run(home, ['leave', 'backend'])).code).toBe(4)
  })

  test('of another than the one that speaks is refused, and neither leaves', async () => {
    const home = tempHome('backend', 'frontend')
    const env = { AGENT_CHAT_NAME: 'backend' }
    expect(await run(home, ['leave', 'frontend'], { env })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/this session is @backend: it cannot unregister @frontend\n/),
    })
    expect(Object.keys(sessions(home))).toEqual(['backend', 'frontend'])
    expect((await run(home, ['leave', '@backend'], { env })).code).toBe(0)
    expect(Object.keys(sessions(home))).toEqual(['frontend'])
  })

  test('of nobody is 4, of a name that is none 2, of no name 6', async () => {
    const home = tempHome('backend')
    expect(await run(home, ['leave', 'bakend'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('did you mean @backend?'),
    })
    expect((await run(home, ['leave', '../x'])).code).toBe(2)
    expect((await run(home, ['leave'])).code).toBe(6)
    expect(Object.keys(sessions(home))).toEqual(['backend'])
  })
})

describe('who', () => {
  test('shows every session in the order of names', async () => {
    const home = tempHome('frontend', 'backend')
    await run(home, ['send', '@frontend', 'x', '--as', 'backend'])
    const { stdout } = await run(home, ['who'])
    const [head, ...rows] = stdout.trimEnd().split('\n')
    expect(head).toMatch(/^name +pane +state +unread +up$/)
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 4))).toEqual([
      ['@backend', '-', 'unknown', '0'],
      ['@frontend', '-', 'unknown', '1'],
    ])
    expect(JSON.parse((await run(home, ['who', '--json'])).stdout).sessions[1]).toMatchObject({
      name: 'frontend',
      pane: null,
      unread: 1,
      alive: 'unknown',
      watcher: false,
      waiting: null,
    })
  })

  test('with nobody there is no error, and makes no home', async () => {
    const user = dirname(tempHome().root)
    // The default home, which nothing has made yet.
    const env = { HOME: user, AGENT_CHAT_HOME: '' }
    expect(await run(tempHome(), ['who'], { env })).toMatchObject({ code: 0, stderr: '' })
    const { stdout } = await run(tempHome(), ['who', '--json'], { env })
    expect(JSON.parse(stdout)).toEqual({ sessions: [], needs_you: [], paused: false })
    expect(existsSync(`${user}/agent-chat`)).toBe(false)
  })

  test('shows what a hand wrote into the registry, and obeys none of it', async () => {
    const home = tempHome()
    writeFileSync(
      home.sessions,
      JSON.stringify({ backend: { pane: '\u001b[2J\n%3', cwd: '/\u001b[2J' } }),
    )
    const { code, stdout } = await run(home, ['who'])
    expect({ code, escapes: stdout.includes('\u001b'), lines: stdout.split('\n').length }).toEqual({
      code: 0,
      escapes: false,
      lines: 3,
    })
  })
})

describe('a registry that is broken', () => {
  test.each(['', '{"backend": {"na', '[]', '\0'])('%j: nobody is lost by it', async (text) => {
    const home = tempHome('backend', 'frontend')
    writeFileSync(home.sessions, text)
    for (const args of [['who'], ['send', '@frontend', 'x', '--as', 'backend']]) {
      const { code, stdout, stderr } = await run(home, args)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(
        /^agent-chat: \S+sessions\.json cannot be read as a registry\n {2}hint: .*agent-chat doctor/,
      )
    }
    expect(readFileSync(home.sessions, 'utf8')).toBe(text)
    expect(filesIn(home.messages)).toEqual([])
    const joined = await join(home, 'backend')
    expect(joined).toMatchObject({ code: 0, stdout: 'joined as @backend\n' })
    const aside = /it is kept as (\S+)\n/.exec(joined.stderr)?.[1] ?? ''
    expect(readFileSync(aside, 'utf8')).toBe(text)
    expect(Object.keys(sessions(home))).toEqual(['backend'])
  })
})
