import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import { findSession, readSessions } from '../../src/bus/names/registry.ts'
import { liveWatcher } from '../../src/session/watcher.ts'
import { findProgram } from '../../src/system/programs.ts'
import {
  DIST,
  outcome,
  type Run,
  type RunOptions,
  runCli,
  startCli,
} from '../../src/testing/cli.ts'
import { filesIn, tempDirectory } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import type { Pane } from '../e2e/harness/pane.ts'
import {
  PROMPT,
  READY,
  refOf,
  serverForTest,
  textOf,
  tmuxWorld,
  type World,
  watching,
} from './world.ts'

const DUMP = join(import.meta.dirname, 'dump.mjs')
const MAIN = join(DIST, 'main.js')

type Dump = { args: string[]; cwd: string; env: Record<string, string>; pid: number }

/**
 * A launcher outside of tmux, on a machine whose tmux is the world's own; its server runs already,
 * without the home in its environment.
 */
async function launcher(options: { running?: boolean } = {}) {
  const world = await tmuxWorld()
  if (options.running !== false) await world.server.newSession({ name: 'other' })
  const launch = (args: string[], more: Partial<RunOptions> = {}): Promise<Run> =>
    runCli(args, launchOptions(world, more))
  const dump = join(world.directory, 'dump.json')
  const dumped = () =>
    until('the agent to start', () =>
      existsSync(dump) ? (JSON.parse(textOf(dump)) as Dump) : undefined,
    )
  return { world, launch, dumped, agent: `"${process.execPath}" "${DUMP}" "${dump}"` }
}

/** A PATH whose tmux keeps back the answer to its first look for panes. */
function heldTmux(directory: string) {
  const [held, go] = [join(directory, 'held'), join(directory, 'go')]
  const script = `#!/bin/sh
case " $* " in
*' list-panes '*) mkdir '${held}' 2>/dev/null && keeps=yes ;;
esac
said=$('${findProgram('tmux', process.env)}' "$@")
code=$?
[ -z "\${keeps-}" ] || { : >'${held}/seen'; while [ ! -e '${go}' ]; do sleep 0.05; done; }
[ -z "$said" ] || printf '%s\\n' "$said"
exit $code
`
  const bin = join(directory, 'late-bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'tmux'), script, { mode: 0o755 })
  return {
    path: `${bin}:${process.env.PATH}`,
    isHeld: () => existsSync(join(held, 'seen')),
    letGo: () => writeFileSync(go, ''),
  }
}

function launchOptions(world: World, more: Partial<RunOptions> = {}): RunOptions {
  const env = { AGENT_CHAT_PROMPT: PROMPT, ...world.server.env, ...more.env }
  return { home: world.bus.home.root, ...more, env }
}

const sessionOf = (world: World, name: string) => findSession(readSessions(world.bus.home), name)
const tmuxSessions = async (world: World) =>
  (await world.server.tmux('list-sessions', '-F', '#{session_name}').catch(() => ''))
    .split('\n')
    .filter(Boolean)
const paneIn = async (world: World, session: string): Promise<Pane> =>
  world.server.pane(
    (await world.server.tmux('list-panes', '-t', session, '-F', '#{pane_id}')).trim(),
  )

/** Waits until nothing is left of a session but its messages. */
async function left(world: World, name: string): Promise<void> {
  await until(`@${name} to leave`, () => sessionOf(world, name) === undefined)
  await until(
    `the watcher of @${name} to end`,
    () => liveWatcher(world.bus, name) === undefined,
    20_000,
  )
  await until(
    `ac-${name} to end`,
    async () => !(await tmuxSessions(world)).includes(`ac-${name}`),
    20_000,
  )
}

/** Terminals that are no panes of the world's server, and where its clients are. */
async function outside(world: World) {
  const server = await serverForTest()
  const env = { ...world.server.env, AGENT_CHAT_HOME: world.bus.home.root }
  const terminal = (...args: string[]) => {
    const line = `unset TMUX TMUX_PANE; "${RUNTIME}" "${MAIN}" ${args.join(' ')}; echo "ended with $?"; exec cat`
    return server.newSession({ cmd: line, env })
  }
  const client = ({ id }: Pane) =>
    server.newSession({ cmd: `unset TMUX TMUX_PANE; exec tmux attach -t ${id}`, env })
  const clients = async () =>
    (await world.server.tmux('list-clients', '-F', '#{session_name}')).split('\n').filter(Boolean)
  return { terminal, client, clients }
}

describe('outside of tmux', () => {
  test.each([true, false])(
    'a session of its own is made, whether tmux runs already (%s) or not',
    async (running) => {
      const { world, launch } = await launcher({ running })
      const run = await launch(['backend', '--cmd', READY, '--detach'])
      expect(run).toEqual({
        code: 0,
        signal: null,
        stdout:
          'started @backend in tmux session ac-backend; attach with: agent-chat attach backend\n',
        stderr: '',
      })
      const pane = await paneIn(world, 'ac-backend')
      expect(sessionOf(world, 'backend')).toMatchObject({
        pane: pane.id,
        tmux_socket: world.server.socket,
        native: false,
      })
      await watching(world, 'backend')
      expect(await launch(['backend', '--cmd', READY, '--detach'])).toMatchObject({
        code: 0,
        stdout: '@backend is already running; attach with: agent-chat attach backend\n',
      })
      // Without a terminal there is nothing to attach.
      expect(await launch(['@backend'])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('already running'),
      })
      await pane.key('C-d')
      await left(world, 'backend')
    },
  )

  test('the environment, the directory and the arguments reach the agent, and no secret the list of processes', async () => {
    const { world, launch, dumped, agent } = await launcher()
    const cwd = join(world.directory, 'a "b" #(touch pwned) #{pane_id} #S;')
    mkdirSync(cwd)
    const env = {
      LINES_OF_TEXT: 'one\ntwo\n',
      QUOTES: `'"\`$(touch pwned)\\`,
      API_KEY: 'a-secret-of-the-test',
      EMPTY: '',
      CLAUDECODE: '1',
      CLAUDE_PID: '7',
      CLAUDE_CODE_USE_BEDROCK: '1',
      AGENT_CHAT_NAME: 'somebody-else',
      TERM: 'a-terminal-elsewhere',
    }
    const args = ['--model', 'a b', '', '$(touch pwned)', "it's", '--json', '--detach']
    const { code } = await launch(['backend', '--detach', '--cmd', agent, '--', ...args], {
      env,
      cwd,
    })
    expect(code).toBe(0)
    const dump = await dumped()
    expect(dump.args).toEqual(args)
    expect(dump.cwd).toBe(cwd)
    const { CLAUDECODE, CLAUDE_PID, AGENT_CHAT_NAME, TERM, ...passed } = env
    expect(dump.env).toMatchObject({
      ...passed,
      AGENT_CHAT_NAME: 'backend',
      AGENT_CHAT_HOME: world.bus.home.root,
    })
    expect(dump.env.PATH?.split(':')).toContain(join(dirname(DIST), 'bin'))
    expect(Object.keys(dump.env)).not.toContain('CLAUDECODE')
    expect(dump.env.CLAUDE_PID).toBeUndefined()
    expect(dump.env.TERM).toMatch(/^(tmux|screen)/)
    expect(dump.env.TMUX).toContain(world.server.socket)
    expect(dump.env.TMUX_PANE).toBe(sessionOf(world, 'backend')?.pane)
    expect(commandLines().filter((line) => line.includes('a-secret-of-the-test'))).toEqual([])
    expect(filesIn(world.bus.home.pids).filter((file) => file.endsWith('.launch'))).toEqual([])
    expect(readdirSync(cwd)).toEqual([])
    expect(sessionOf(world, 'backend')?.cwd).toBe(cwd)
  })

  test('--json gives data: what has become of it, and where the session is', async () => {
    const { world, launch } = await launcher()
    const data = async (...args: string[]) => {
      const run = await launch(['backend', '--cmd', READY, '--json', ...args])
      expect(run).toMatchObject({ code: 0, stderr: '' })
      return JSON.parse(run.stdout)
    }
    const started = await data('--detach')
    const pane = await paneIn(world, 'ac-backend')
    expect(started).toEqual({
      name: 'backend',
      outcome: 'started',
      tmux_session: 'ac-backend',
      pane: pane.id,
    })
    expect(await data('--detach')).toEqual({ ...started, outcome: 'at work' })
    // Without a terminal there is nothing to attach.
    expect(await data()).toEqual({ ...started, outcome: 'at work' })
    expect((await launch(['leave', 'backend'])).code).toBe(0)
    expect(await data('--detach')).toEqual({ ...started, outcome: 'joined again' })
  })

  test('a terminal is attached, at the first start and later; it may go while the agent works on', async () => {
    const { world } = await launcher()
    const { terminal, clients } = await outside(world)
    const first = await terminal('backend', '--cmd', 'cat')
    await first.waitFor(/\[ac-backen.*0:backend\*/)
    expect(await clients()).toEqual(['ac-backend'])
    const second = await terminal('backend')
    await until('the second client', async () => (await clients()).length === 2)
    await second.submit('typed by a person')
    await first.waitFor(/(typed by a person\s+){2}/)
    await world.server.tmux('detach-client', '-s', 'ac-backend')
    for (const pane of [first, second])
      await pane.waitFor(
        /@backend keeps running; come back with: agent-chat attach backend\s+ended with 0/,
      )
    expect(sessionOf(world, 'backend')).toBeDefined()
    const third = await terminal('backend')
    await third.waitFor(/typed by a person/)
    await third.key('C-d')
    await third.waitFor(/ended with 0/)
    await left(world, 'backend')
  })

  test('an agent that ends at once, seen in a terminal, is told with the last lines of its screen', async () => {
    const { world } = await launcher()
    const { terminal } = await outside(world)
    const command = "sh -c 'sleep 1; echo cannot connect; exit 42'"
    const seat = await terminal('start', 'backend', '--cmd', `"${command}"`)
    await seat.waitFor(
      /^agent-chat: @backend was not started: its agent ended with exit code 42\n {2}\| cannot connect\n {2}hint: see its whole output with: agent-chat start backend --no-tmux [\s\S]*^ended with 1/m,
    )
    await left(world, 'backend')
  })

  test('attach shows the terminal of a session, and inside of tmux turns the client to it', async () => {
    const { world, launch } = await launcher()
    const { terminal, client, clients } = await outside(world)
    await launch(['start', 'backend', '--cmd', 'cat', '--detach'])
    const seat = await terminal('attach', '@backend')
    await seat.submit('typed by a person')
    await (await paneIn(world, 'ac-backend')).waitFor(/(typed by a person\s+){2}/)
    await world.server.tmux('detach-client', '-s', 'ac-backend')
    await seat.waitFor(/^ended with 0/m)
    const inside = await world.server.newSession({ env: { AGENT_CHAT_HOME: world.bus.home.root } })
    await client(inside)
    await until('the client', async () => (await clients()).length === 1)
    expect(await clients()).not.toEqual(['ac-backend'])
    await inside.submit(`"${RUNTIME}" "${MAIN}" attach backend`)
    await until('the client to turn', async () => (await clients())[0] === 'ac-backend')
  })

  test('two at once make one session', async () => {
    const { world, launch } = await launcher()
    const runs = await Promise.all(
      [1, 2, 3].map(() => launch(['backend', '--cmd', READY, '--detach'])),
    )
    for (const run of runs) expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(runs.filter(({ stdout }) => stdout.startsWith('started'))).toHaveLength(1)
    expect((await tmuxSessions(world)).sort()).toEqual(['ac-backend', 'other'])
    expect(filesIn(world.bus.home.pids).filter((file) => file.endsWith('.launch'))).toEqual([])
  })

  test('another that was faster, after the look for one, is gone to', async () => {
    const { world, launch } = await launcher()
    const { path, isHeld, letGo } = heldTmux(world.directory)
    const late = launch(['backend', '--cmd', READY, '--detach'], { env: { PATH: path } })
    await until('the late one to have looked', isHeld)
    const fast = await launch(['backend', '--cmd', READY, '--detach'])
    expect(fast).toMatchObject({ code: 0, stdout: expect.stringMatching(/^started @backend/) })
    letGo()
    expect(await late).toMatchObject({ code: 0, stderr: '' })
  })

  test("what the user's tmux does with panes and sessions by itself does not matter", async () => {
    const { world, launch } = await launcher()
    await world.server.tmux('set-option', '-g', 'remain-on-exit', 'on')
    await world.server.tmux(
      'set-option',
      '-g',
      'destroy-unattached',
      'on',
      ';',
      'set-option',
      '-t',
      'other',
      'destroy-unattached',
      'off',
    )
    expect((await launch(['backend', '--cmd', READY, '--detach'])).code).toBe(0)
    const pane = await paneIn(world, 'ac-backend')
    await pane.key('C-d')
    await left(world, 'backend')
  })
})

describe('inside of tmux', () => {
  test('the pane is used, and gets back its shell and the exit code', async () => {
    const { world } = await launcher()
    const pane = await world.server.newSession({ env: { AGENT_CHAT_HOME: world.bus.home.root } })
    await pane.submit(`"${RUNTIME}" "${MAIN}" backend --cmd "sh -c 'cat; exit 3'"`)
    await watching(world, 'backend')
    expect(sessionOf(world, 'backend')).toMatchObject({
      pane: pane.id,
      tmux_socket: world.server.socket,
    })
    expect(await tmuxSessions(world)).not.toContain('ac-backend')
    await pane.key('C-d')
    await pane.submit('echo "ended with $?"')
    await pane.waitFor(/^ended with 3/m)
    await left(world, 'backend')
  })

  test('--detach makes a session of its own all the same', async () => {
    const { world } = await launcher()
    const pane = await world.server.newSession({ env: { AGENT_CHAT_HOME: world.bus.home.root } })
    await pane.submit(`"${RUNTIME}" "${MAIN}" backend --cmd cat --detach`)
    await pane.waitFor(/started @backend in tmux session ac-backend/)
    expect(sessionOf(world, 'backend')?.pane).not.toBe(pane.id)
  })
})

describe('without tmux', () => {
  const CODES: [command: string, code: number][] = [
    ['true', 0],
    ['sh -c "exit 9"', 9],
    ['sh -c no-such-program-anywhere', 127],
    ['exec sh -c "exit 9"', 9],
    ['command sh -c "exit 9"', 9],
    ['eval "exit 9"', 9],
    ['(exit 9)', 9],
    ['{ exit 9; }', 9],
    ['if true; then exit 9; fi', 9],
    ['for n in 8 9; do (exit $n); done', 9],
    ['n=9 && exit $n', 9],
  ]
  test.each(CODES)(
    'the agent %j runs in this terminal, and its exit code is passed on',
    async (command, code) => {
      const { world, launch } = await launcher()
      expect((await launch(['backend', '--no-tmux', '--cmd', command])).code).toBe(code)
      expect(readSessions(world.bus.home)).toEqual({})
    },
  )

  const WITH_ARGUMENTS: [command: string, prints: string][] = [
    ['printf "%s|"', 'a b|'],
    ['true && printf "%s|" $(echo c)', 'c|a b|'],
    ['if true; then printf "%s|" "$@"; fi', 'a b|'],
    ['(printf "%s|" "$@") 2>&1', 'a b|'],
  ]
  test.each(WITH_ARGUMENTS)(
    'the agent %j gets its arguments behind it, else as "$@"',
    async (command, prints) => {
      const { launch } = await launcher()
      expect(await launch(['backend', '--no-tmux', '--cmd', command, '--', 'a b'])).toMatchObject({
        code: 0,
        stdout: prints,
        stderr: '',
      })
    },
  )

  test('the session has no pane and no watcher, and leaves when it is asked to end', async () => {
    const { world, dumped, agent } = await launcher()
    const child = startCli(['backend', '--no-tmux', '--cmd', agent], launchOptions(world))
    const over = outcome(child)
    const dump = await dumped()
    const session = await until('the agent in the registry', () => {
      const now = sessionOf(world, 'backend')
      return now?.agent?.pid === child.pid ? undefined : now
    })
    expect(session).toMatchObject({ pane: null, agent: refOf(world, dump.pid) })
    expect(liveWatcher(world.bus, 'backend')).toBeUndefined()
    child.kill('SIGTERM')
    await over
    expect(readSessions(world.bus.home)).toEqual({})
    await until('the agent to end', () => world.bus.processes.find(dump.pid) === undefined)
  })
})

describe('the session leaves when its agent ends:', () => {
  const WAYS: [
    how: string,
    end: (world: World, pane: Pane, agent: number) => Promise<unknown> | unknown,
  ][] = [
    ['killed with -9', (_, __, agent) => process.kill(agent, 'SIGKILL')],
    ['terminated', (_, __, agent) => process.kill(agent, 'SIGTERM')],
    ['its pane killed', (_, pane) => pane.kill()],
    ['its tmux session killed', (world) => world.server.tmux('kill-session', '-t', 'ac-backend')],
    ['its tmux server killed', (world) => world.server.tmux('kill-server')],
    ['its launcher killed with -9', async (_, pane) => process.kill(await pane.pid(), 'SIGKILL')],
  ]
  test.each(WAYS)('%s', async (_, end) => {
    const { world, launch, dumped, agent } = await launcher()
    expect((await launch(['backend', '--detach', '--cmd', agent])).code).toBe(0)
    const { pid } = await dumped()
    await watching(world, 'backend')
    await end(world, await paneIn(world, 'ac-backend'), pid)
    await left(world, 'backend')
    await until('the agent to end', () => world.bus.processes.find(pid) === undefined)
  })

  test('an agent that does not want to end keeps its session for a moment only', async () => {
    const { world, launch } = await launcher()
    const stubborn = `sh -c 'trap "" HUP TERM; echo up; sleep 30; sleep 30'`
    expect((await launch(['backend', '--detach', '--cmd', stubborn])).code).toBe(0)
    const pane = await paneIn(world, 'ac-backend')
    await pane.waitFor(/up/)
    // The watcher rests by then: it has to find out by itself.
    await watching(world, 'backend')
    await until('rest', () => existsSync(world.bus.home.watcherRest))
    await pane.kill()
    await left(world, 'backend')
  })
})

describe('refusals', () => {
  test('a name whose session is alive elsewhere, unless --force', async () => {
    const { world, launch } = await launcher()
    const other = { name: 'backend', agent: refOf(world, process.pid), cwd: '/somewhere' }
    writeFileSync(world.bus.home.sessions, JSON.stringify({ backend: other }))
    for (const args of [['--detach'], ['--no-tmux']]) {
      const run = await launch(['backend', '--cmd', READY, ...args])
      expect(run).toMatchObject({ code: 8, stdout: '' })
      expect(run.stderr).toMatch(
        /^agent-chat: @backend is already running .*\(\/somewhere\)\n {2}hint: .*--force\n$/,
      )
    }
    expect(sessionOf(world, 'backend')?.agent).toEqual(other.agent)
    expect(await tmuxSessions(world)).not.toContain('ac-backend')
    expect((await launch(['backend', '--cmd', READY, '--detach', '--force'])).code).toBe(0)
    expect(sessionOf(world, 'backend')?.agent).not.toEqual(other.agent)
  })

  test('no tmux, no claude: exit 7, and what to type', async () => {
    const { world, launch } = await launcher()
    const bin = tempDirectory()
    for (const program of ['apt-get', 'claude']) symlinkSync('/bin/true', join(bin, program))
    const noTmux = await launch(['backend', '--detach'], { env: { PATH: bin } })
    expect(noTmux).toMatchObject({ code: 7, stdout: '' })
    expect(noTmux.stderr).toMatch(
      /^agent-chat: tmux is not installed, or not on PATH\n {2}hint: install it with: (sudo )?apt-get install -y tmux; or run .+: agent-chat start backend --no-tmux\n$/,
    )
    const onlyTmux = tempDirectory()
    symlinkSync(findProgram('tmux', process.env) ?? '', join(onlyTmux, 'tmux'))
    for (const [option, line] of [
      ['--no-tmux', 'backend --no-tmux'],
      ['--detach', 'backend'],
    ] as const) {
      const noClaude = await launch(['backend', option], { env: { PATH: onlyTmux } })
      expect(noClaude).toMatchObject({ code: 7, stdout: '' })
      expect(noClaude.stderr).toBe(
        `agent-chat: claude is not installed, or not on PATH\n  hint: install Claude Code with: npm install -g @anthropic-ai/claude-code; or start another agent: agent-chat start ${line} --cmd "<command>"\n`,
      )
    }
    expect(readSessions(world.bus.home)).toEqual({})
  })

  const AT_ONCE: [command: string, code: number, says: string][] = [
    ['true', 0, ''],
    ['sh -c "sleep 1; echo cannot connect; exit 42"', 42, '  | cannot connect\n'],
  ]
  test.each(AT_ONCE)(
    'the agent %j, which ends at once, is told with its exit code',
    async (command, code, says) => {
      const { world, launch } = await launcher()
      const run = await launch(['backend', '--detach', '--cmd', command])
      expect(run).toMatchObject({ code: 1, stdout: '' })
      expect(run.stderr).toBe(
        `agent-chat: @backend was not started: its agent ended with exit code ${code}\n${says}  hint: see its whole output with: agent-chat start backend --no-tmux --cmd '${command}'\n`,
      )
      await left(world, 'backend')
    },
  )

  test('an agent whose program is not there is told before anything is started', async () => {
    const { world, launch } = await launcher()
    for (const [option, line] of [
      ['--detach', 'backend'],
      ['--no-tmux', 'backend --no-tmux'],
    ] as const)
      expect(await launch(['backend', '--cmd', 'no-such-program --fast', option])).toMatchObject({
        code: 7,
        stdout: '',
        stderr: `agent-chat: no-such-program is not installed, or not on PATH\n  hint: install it, or give its path: agent-chat start ${line} --cmd "<command>"\n`,
      })
    expect(existsSync(world.bus.home.history)).toBe(false)
    expect(await tmuxSessions(world)).not.toContain('ac-backend')
  })

  test('a path with no program at it is told before anything is started', async () => {
    const { world, launch } = await launcher()
    writeFileSync(join(world.directory, 'no-program'), 'text')
    const paths = [
      '/nonexistent/agent',
      './nonexistent',
      './no-program',
      world.directory,
      '~/nonexistent',
    ]
    for (const path of paths)
      for (const option of ['--detach', '--no-tmux']) {
        const run = await launch(['backend', '--cmd', `${path} --fast`, option], {
          cwd: world.directory,
        })
        expect(run).toMatchObject({ code: 7, stdout: '' })
        const told = path.replace('~', join(world.bus.home.root, 'no-user-home'))
        expect(run.stderr).toContain(
          `agent-chat: ${told} is missing, or not a program\n  hint: give the path`,
        )
      }
    expect(existsSync(world.bus.home.history)).toBe(false)
    expect(await tmuxSessions(world)).not.toContain('ac-backend')
  })

  test('a command with nothing in it', async () => {
    const { world, launch } = await launcher()
    for (const [cmd, env, what] of [
      [['--cmd', ''], {}, '--cmd'],
      [['--cmd', '  '], {}, '--cmd'],
      [[], { AGENT_CHAT_CMD: ' ' }, 'AGENT_CHAT_CMD'],
    ] as const)
      for (const option of ['--detach', '--no-tmux'])
        expect(await launch(['backend', ...cmd, option], { env })).toMatchObject({
          code: 2,
          stdout: '',
          stderr: `agent-chat: ${what} is empty\n  hint: name a program: agent-chat start backend --cmd "<command>"; or leave it out for Claude Code\n`,
        })
    expect(existsSync(world.bus.home.history)).toBe(false)
  })

  test('what is no name, no command, or no option', async () => {
    const { world, launch } = await launcher()
    const cases: [args: string[], says: RegExp][] = [
      [['sned'], /did you mean: agent-chat send/],
      [
        ['sned', '@frontend', 'hello'],
        /there is no command "sned"[\s\S]*did you mean: agent-chat send/,
      ],
      [['Backend', '--detach'], /there is no command "Backend"/],
      [['@Backend', '--detach'], /is not a session name/],
      [['@human', '--detach'], /human/],
      [['@send', '--detach'], /send/],
      [['backend', '--no-such-option'], /unknown option/],
      [['backend', 'frontend'], /there is no command "backend"/],
    ]
    for (const [args, says] of cases) {
      const run = await launch(args)
      expect(run).toMatchObject({ code: 2, stdout: '' })
      expect(run.stderr).toMatch(says)
    }
    expect(
      (
        await launch(['backend', '--detach', '--cmd', READY], {
          env: { AGENT_CHAT_DOORBELL: 'gong' },
        })
      ).stderr,
    ).toMatch(/"gong"/)
    expect(await tmuxSessions(world)).toEqual(['other'])
  })

  test('options that disagree', async () => {
    const { world, launch } = await launcher()
    expect(await launch(['backend', '--cmd', READY, '--no-tmux', '--detach'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'agent-chat: --no-tmux and --detach exclude each other\n  hint: leave one out\n',
    })
    expect(existsSync(world.bus.home.history)).toBe(false)
  })

  test("the launcher's own option takes no file but its own", async () => {
    const { world, launch } = await launcher()
    const mine = join(world.directory, 'mine.json')
    writeFileSync(mine, '{}')
    expect(await launch(['backend', '--handover', mine])).toMatchObject({ code: 2, stdout: '' })
    expect(existsSync(mine)).toBe(true)
  })
})

test('AGENT_CHAT_CMD names another agent, --cmd stands above it, and options may come first', async () => {
  const { world, launch, dumped, agent } = await launcher()
  expect((await launch(['--detach', '@backend'], { env: { AGENT_CHAT_CMD: agent } })).code).toBe(0)
  await dumped()
  const over = await launch(['--no-tmux', '--cmd', 'sh -c "exit 5"', 'frontend'], {
    env: { AGENT_CHAT_CMD: agent },
  })
  expect(over).toMatchObject({ code: 5, stderr: '' })
  expect(Object.keys(readSessions(world.bus.home))).toEqual(['backend'])
})

/** The command lines of all processes, as every user of the machine can read them. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => textOf(`/proc/${pid}/cmdline`))
}
