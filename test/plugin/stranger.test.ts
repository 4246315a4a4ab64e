import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeAt } from '../../src/bus/home.ts'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { join as joinSession } from '../../src/session/join.ts'
import { systemClock } from '../../src/system/clock.ts'
import { systemProcesses } from '../../src/system/processes.ts'
import { DIST, ROOT } from '../../src/testing/cli.ts'
import { tempDirectory } from '../../src/testing/home.ts'
import { leftOut } from '../../src/testing/leftOut.ts'
import { hookLine, startClient } from '../../src/testing/startClient.ts'

const { hooks } = JSON.parse(readFileSync(join(ROOT, 'hooks/hooks.json'), 'utf8'))
const HOOKS = Object.values<{ hooks: { args: string[] }[] }[]>(hooks).flatMap((groups) =>
  groups.flatMap((group) => group.hooks),
)
const WORDS = [...new Set(HOOKS.map(({ args }) => args.at(-1) ?? ''))]
const LATER = WORDS.filter((word) => word !== 'session-start')
/** Those that wait for nothing in a session of ours. */
const HEARD = LATER.filter((word) => !/ring$|^bell$/.test(word))
const JUDGING = ['user-prompt-submit', 'pre-tool-use', 'post-tool-use']
const PROCESSES = systemProcesses()

/** This process is the Claude Code: its hooks are its children. Each Node that they start is noted. */
function client() {
  const root = tempDirectory()
  const [home, bin, data, log] = ['agent-chat', 'bin', 'data', 'nodes'].map((name) =>
    join(root, name),
  )
  if (!home || !bin || !data || !log) throw new Error('no places')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'node'),
    `#!/bin/sh\necho "$2" >>'${log}'\nexec '${process.execPath}' "$@"\n`,
  )
  chmodSync(join(bin, 'node'), 0o755)
  const base = { PATH: `${bin}:/usr/bin:/bin`, HOME: root, AGENT_CHAT_HOME: home }
  const own = { ...base, CLAUDE_PID: String(process.pid), CLAUDE_PLUGIN_DATA: data }
  const hook = (
    word: string,
    payload: object = {},
    env: Record<string, string> = {},
    before: string[] = [],
  ) => {
    const [program = '', ...words] = [...before, ...hookLine(word)]
    const { status } = spawnSync(program, words, {
      env: { ...own, ...env },
      input: JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'rm x' }, ...payload }),
    })
    expect(status).toBe(0)
  }
  /** How many Nodes `work` has started. */
  const nodes = (work: () => unknown) => {
    rmSync(log, { force: true })
    work()
    return existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0
  }
  const starts = (word: string, env?: Record<string, string>) =>
    nodes(() => hook(word, {}, env)) > 0
  const chat = (...args: string[]) => {
    const main = join(DIST, 'main.js')
    const ran = spawnSync(process.execPath, [main, ...args], { env: own, encoding: 'utf8' })
    return { code: ran.status, stderr: ran.stderr }
  }
  const bus = { home: homeAt(home), clock: systemClock(), processes: PROCESSES }
  const place = join(data, 'strangers', String(process.pid))
  return { root, home, data, log, place, own, hook, nodes, starts, chat, bus }
}

const SELF = PROCESSES.self()
/** A process that has ended. */
const OTHER = { pid: 4_194_305, started: 'long ago' }

type Client = ReturnType<typeof client>

/** One that has begun in a home that others use, and is no session of it. */
async function stranger(): Promise<Client> {
  const it = client()
  await joins(it, 'somebody', OTHER)
  expect(it.starts('session-start')).toBe(true)
  expect(LATER.filter((word) => it.starts(word))).toEqual([])
  return it
}

/** Registers a session as another program of the user does. */
function joins(
  { bus }: Pick<Client, 'bus'>,
  name: string,
  agent: { pid: number; started: string } | undefined,
) {
  const asked = { name, agent, pane: undefined, native: true, doorbell: 'auto', cwd: '/' }
  return joinSession(
    { ...asked, force: true, watch: false },
    {
      bus,
      tmux: { run: async () => ({ code: 1, stdout: '', stderr: '' }) },
      startWatcher: () => undefined,
      warn: () => {},
    },
  )
}

describe(
  'a session that never joined',
  leftOut(process.platform !== 'linux' && 'it is for Linux'),
  () => {
    test.each([
      ['where others are registered', (it: Client) => joins(it, 'other', OTHER), 200],
      ['where nobody is registered', (it: Client) => mkdirSync(it.home), 4],
      ['where there is no home', () => {}, 4],
    ])(
      'starts Node at its SessionStart, and for reads and commands none, %s',
      async (what, prepare, reads) => {
        const it = client()
        await prepare(it)
        expect(it.nodes(() => it.hook('session-start', { source: 'startup' }))).toBe(1)
        const day = () => {
          for (const word of LATER) it.hook(word)
          for (let at = 0; at < reads; at++) it.hook('post-tool-use', { tool_name: 'Read' })
          for (let at = 0; at < reads / 4; at++)
            for (const word of ['pre-tool-use', 'permission-request', 'post-tool-use'])
              it.hook(word)
        }
        expect(it.nodes(day)).toBe(0)
        expect(existsSync(it.home)).toBe(what !== 'where there is no home')
      },
    )

    test('is judged again after each join and leave, once', async () => {
      const it = await stranger()
      await joins(it, 'another', OTHER)
      expect(it.starts('post-tool-use')).toBe(true)
      expect(LATER.filter((word) => it.starts(word))).toEqual([])
      await joins(it, 'one-more', undefined)
      expect(it.starts('pre-tool-use')).toBe(true)
      expect(LATER.filter((word) => it.starts(word))).toEqual([])
    })

    test('takes away what clients have left that ended', () => {
      const it = client()
      const ended = join(it.data, 'strangers', '4194305')
      mkdirSync(ended, { recursive: true })
      it.hook('session-start')
      expect(readdirSync(join(it.data, 'strangers'))).toEqual([String(process.pid)])
    })
  },
)

/** How a session comes to be one of ours after it was a stranger. */
const WAYS: [how: string, join: (it: Client) => unknown][] = [
  [
    'it runs `join`',
    ({ chat }) => expect(chat('join', 'backend', '--no-watch')).toMatchObject({ code: 0 }),
  ],
  ['somebody registers its process', (it) => joins(it, 'backend', SELF)],
  [
    'somebody registers the process above it',
    (it) => {
      const above = PROCESSES.find(PROCESSES.find(SELF.pid)?.parent ?? 0)
      return joins(it, 'backend', above && { pid: above.pid, started: above.started })
    },
  ],
  [
    'an earlier version registers it',
    ({ bus: { home } }) => {
      const session = { name: 'backend', agent: SELF, native: true, doorbell: 'auto' }
      writeFileSync(`${home.sessions}.new`, JSON.stringify({ backend: session }))
      renameSync(`${home.sessions}.new`, home.sessions)
    },
  ],
  [
    'a person edits the registry in its place',
    ({ bus: { home } }) => {
      const session = { name: 'backend', agent: SELF, native: true, doorbell: 'auto' }
      writeFileSync(home.sessions, JSON.stringify({ backend: session }))
    },
  ],
]

/** What a project's settings may put into the environment of a hook. */
const HOSTILE: Record<string, string>[] = [
  { AGENT_CHAT_HOME: '/nowhere' },
  { AGENT_CHAT_HOME: 'its own' },
  { AGENT_CHAT_HOME: '' },
  { AGENT_CHAT_NAME: '' },
  { XDG_DATA_HOME: '/nowhere', XDG_CONFIG_HOME: '/nowhere' },
  { TMUX: '', TMUX_PANE: '' },
  { CLAUDE_PLUGIN_DATA: '/dev/null/nowhere' },
  { CLAUDE_PLUGIN_DATA: '' },
  { AGENT_CHAT_WORKER: '' },
  { PPID: '1', IFS: '/', ENV: '/dev/null', BASH_ENV: '/dev/null' },
]

describe('a session that joined is heard', () => {
  test.each(WAYS)('in the same turn, where %s', async (_, join) => {
    const it = await stranger()
    await join(it)
    expect(HEARD.filter((word) => !it.starts(word))).toEqual([])
    expect(existsSync(it.place)).toBe(false)
  })

  test.each(HOSTILE.map((env) => [env]))('whatever a project sets: %j', async (env) => {
    const it = await atHome()
    const all = setsIn(it, env)
    await joins(it, 'somebody', OTHER)
    await it.hook('session-start', {})
    await joins(it, 'backend', it.agent)
    await it.hook('session-start', all)
    for (const word of JUDGING)
      expect([word, await it.starts(word, all), await it.starts(word, {})]).toEqual([
        ...[word, true, true],
      ])
  })

  test('also where its plugin holds what it was before', async () => {
    const it = await stranger()
    const before = `${it.place}.before`
    spawnSync('cp', ['-al', it.place, before])
    await joins(it, 'backend', SELF)
    it.hook('post-tool-use')
    renameSync(before, it.place)
    expect(HEARD.filter((word) => !it.starts(word))).toEqual([])
  })

  test('and one that cannot be registered is told so', async () => {
    const it = await stranger()
    rmSync(it.bus.home.sessions)
    mkdirSync(it.bus.home.sessions)
    const { code, stderr } = it.chat('join', 'backend')
    expect(code).not.toBe(0)
    expect(stderr).toContain('agent-chat: ')
    expect(it.starts('pre-tool-use')).toBe(true)
  })
})

/** What a project's settings may say where the person has set no AGENT_CHAT_HOME. */
const MOVED: Record<string, string>[] = [
  { HOME: '/nowhere' },
  { HOME: 'its own' },
  { HOME: '' },
  { HOME: '/nowhere', XDG_DATA_HOME: '/nowhere', CLAUDE_CONFIG_DIR: '/nowhere' },
]

/**
 * A Claude Code of its own, by whose HOME alone the home is known: each hook is its child, and each
 * command that it runs.
 */
async function atHome(node = true) {
  const it = client()
  const program = join(it.root, 'claude')
  symlinkSync(process.execPath, program)
  const env = { PATH: it.own.PATH, HOME: it.root }
  const { ref: agent, run } = await startClient(env, program)
  if (!node) rmSync(join(it.root, 'bin', 'node'))
  const own = { ...env, CLAUDE_PID: String(agent.pid), CLAUDE_PLUGIN_DATA: it.data }
  const below = async (line: string[], given: Record<string, string>, input = '') => {
    const { status, stdout } = await run(line, given, input)
    expect(status).toBe(0)
    return stdout
  }
  const hook = (word: string, given: Record<string, string>) => {
    const input = JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'rm x' } })
    return below(hookLine(word), { ...own, ...given }, input)
  }
  /** What a line that the agent runs prints. */
  const bash = (line: string) => {
    const command = join(it.root, 'bin', 'agent-chat')
    writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${DIST}/main.js' "$@"\n`)
    chmodSync(command, 0o755)
    return below(['/bin/sh', '-c', line], { ...env, CLAUDE_PID: String(agent.pid) })
  }
  const starts = async (word: string, given: Record<string, string>) => {
    rmSync(it.log, { force: true })
    await hook(word, given)
    return existsSync(it.log)
  }
  return { ...it, agent, hook, starts, bash }
}

/** What the settings of a project set, where it has a home of its own with nobody in it. */
function setsIn(
  { root }: Pick<Client, 'root'>,
  env: Record<string, string>,
): Record<string, string> {
  const work = join(root, 'work')
  const evil = homeAt(join(work, 'agent-chat'))
  mkdirSync(join(work, '.claude'), { recursive: true })
  mkdirSync(evil.root)
  writeFileSync(evil.sessions, '{}')
  const own: Record<string, string> = { HOME: work, AGENT_CHAT_HOME: evil.root }
  const set = Object.fromEntries(
    Object.entries(env).map(([key, value]) => [key, value === 'its own' ? own[key] : value]),
  ) as Record<string, string>
  writeFileSync(join(work, '.claude', 'settings.json'), JSON.stringify({ env: set }))
  return { ...set, CLAUDE_PROJECT_DIR: work }
}

describe(
  'a home by the HOME of the client',
  leftOut(process.platform !== 'linux' && 'it is for Linux'),
  () => {
    test.each(MOVED.map((env) => [env]))('is not moved by a project: %j', async (env) => {
      const it = await atHome()
      const all = setsIn(it, env)
      await joins(it, 'somebody', OTHER)
      await it.hook('session-start', all)
      expect(await it.starts('pre-tool-use', {})).toBe(false)
      await joins(it, 'backend', it.agent)
      for (const word of JUDGING) expect([word, await it.starts(word, all)]).toEqual([word, true])
      const said = await it.hook('session-start', all)
      expect(said).toContain('This session is @backend on agent-chat')
      expect(said).toContain('work/.claude/settings.json sets ')
      expect(readdirSync(join(it.root, 'work', 'agent-chat'))).toEqual(['sessions.json'])
    })

    test('is not moved before there is one either', async () => {
      const it = await atHome()
      const all = setsIn(it, { HOME: '/nowhere' })
      await it.hook('session-start', all)
      await joins(it, 'backend', it.agent)
      for (const word of JUDGING) expect([word, await it.starts(word, all)]).toEqual([word, true])
    })

    test('is where a hook that cannot run looks', async () => {
      const it = await atHome(false)
      const all = setsIn(it, { HOME: '/nowhere', AGENT_CHAT_RUNTIME: 'node' })
      await joins(it, 'backend', it.agent)
      expect(await it.hook('pre-tool-use', { ...all, PATH: join(it.root, 'bin') })).toContain(
        '"permissionDecision":"ask"',
      )
    })
  },
)

describe(
  'the very command that joins',
  leftOut(process.platform !== 'linux' && 'it is for Linux'),
  () => {
    test.each([
      ['prints what was written', {}, /zebra/],
      ['prints no text where hooks do not run', { disableAllHooks: true }, /has disableAllHooks/],
    ])('%s', async (_, more, said) => {
      const it = await atHome()
      const config = join(it.root, '.claude')
      mkdirSync(config)
      const plugin = { enabledPlugins: { 'agent-chat@agent-chat': true }, ...more }
      writeFileSync(join(config, 'settings.json'), JSON.stringify(plugin))
      for (const name of ['somebody', 'backend']) await joins(it, name, OTHER)
      sendMessage(it.bus, { from: 'somebody', to: 'backend', kind: 'note', body: 'a zebra' })
      await it.hook('session-start', {
        CLAUDE_PLUGIN_DATA: join(config, 'plugins/data/agent-chat-agent-chat'),
      })
      const printed = await it.bash('agent-chat join backend --no-watch && agent-chat inbox')
      expect(printed).toMatch(said)
      expect(printed.includes('zebra')).toBe(said.test('zebra'))
    })
  },
)

/** What makes a mark one of somebody else, or of another time. */
const DOUBTS: [what: string, change: (it: Client) => Record<string, string>][] = [
  ['a name in its environment', () => ({ AGENT_CHAT_NAME: 'backend' })],
  ['a name that is empty', () => ({ AGENT_CHAT_NAME: '' })],
  ['a worker below it', () => ({ AGENT_CHAT_WORKER: '1' })],
  ['another home', ({ root }) => ({ AGENT_CHAT_HOME: `${root}/other` })],
  ['a pid that is not that of its parent', () => ({ CLAUDE_PID: '1' })],
  ['no pid', () => ({ CLAUDE_PID: '' })],
  ['a mark of another start', ({ place }) => again(place, (name) => `${name}1`)],
  [
    'a mark of another boot',
    ({ place }) => again(place, (name) => name.replace(/^\w+/, '0123abcd')),
  ],
  ['half a mark', ({ place }) => removed(join(place, 'now'))],
  ['a mark that leads elsewhere', ({ place }) => lead(place, '/etc/passwd')],
  ['a mark that leads nowhere', ({ place }) => lead(place, '/nowhere')],
  ['a registry that was copied', ({ bus }) => copied(bus.home.sessions)],
]

function again(place: string, change: (name: string) => string): Record<string, string> {
  const [name = ''] = readdirSync(place).filter((one) => one !== 'now')
  renameSync(join(place, name), join(place, change(name)))
  return {}
}

function removed(path: string): Record<string, string> {
  rmSync(path)
  return {}
}

function lead(place: string, to: string): Record<string, string> {
  rmSync(join(place, 'now'))
  symlinkSync(to, join(place, 'now'))
  return {}
}

function copied(path: string): Record<string, string> {
  writeFileSync(`${path}.copy`, readFileSync(path))
  renameSync(`${path}.copy`, path)
  return {}
}

describe('a doubt starts Node', leftOut(process.platform !== 'linux' && 'it is for Linux'), () => {
  test.each(DOUBTS)('%s', async (_, change) => {
    const it = await stranger()
    const env = change(it)
    expect(it.starts('pre-tool-use', env)).toBe(true)
  })

  test.each([
    ['a client with another program between', {}, ['timeout', '60']],
    ['another process', { CLAUDE_PID: String(process.ppid) }, []],
    ['no process', { CLAUDE_PID: '../../home' }, []],
    ['a place that is relative', { CLAUDE_PLUGIN_DATA: 'data' }, []],
    ['a session with a name', { AGENT_CHAT_NAME: 'backend' }, []],
  ])('of %s no mark is made', async (_, env, before) => {
    const it = client()
    await joins(it, 'somebody', OTHER)
    it.hook('session-start', {}, env, before)
    expect(it.nodes(() => it.hook('pre-tool-use'))).toBe(1)
  })
})
