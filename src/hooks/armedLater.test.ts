import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import type { Bus } from '../bus/bus.ts'
import { homeAt } from '../bus/home.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { join as joinSession } from '../session/join.ts'
import { sessionsNow } from '../session/sessionRows.ts'
import { believedState } from '../session/stateFile.ts'
import { systemClock } from '../system/clock.ts'
import { systemProcesses } from '../system/processes.ts'
import type { Tmux } from '../system/tmux.ts'
import { DIST } from '../testing/cli.ts'
import { tempDirectory } from '../testing/home.ts'
import { hookLine, startClient } from '../testing/startClient.ts'

const DATA = '.claude/plugins/data/agent-chat-inline'

type Place = { root: string; bus: Bus }

const NO_TMUX: Tmux = {
  run: async () => ({ code: 1, stdout: '', stderr: '' }),
  runHere: async () => 1,
}

/** A user's directory, with no home in it yet. */
function place(): Place {
  const root = tempDirectory()
  const home = homeAt(join(root, 'agent-chat'))
  return { root, bus: { home, clock: systemClock(), processes: systemProcesses() } }
}

/**
 * A Claude Code, as 2.1.329 watches: it takes up a list of directories that is another than the one
 * before, of those that are there then, and hears of a directory until it is gone.
 */
async function client(
  { root }: Place,
  { data = join(root, DATA), ...given }: Record<string, string> = {},
) {
  const own = { PATH: process.env.PATH ?? '', HOME: root, ...given }
  const { ref, run } = await startClient(own)
  const env = { ...own, CLAUDE_PID: String(ref.pid) }
  let list: string[] = []
  let watched: { path: string; is: string; knows: Map<string, number> }[] = []
  const take = (paths: string[]) => {
    if (paths.length === 0 || JSON.stringify(paths) === JSON.stringify(list)) return
    list = paths
    watched = paths.map((path) => ({ path, is: identity(path), knows: filesOf(path) }))
  }
  const hook = async (word: string, payload: object = {}) => {
    const given = { ...env, CLAUDE_PLUGIN_DATA: data }
    const ran = await run(hookLine(word), given, JSON.stringify(payload))
    take(ran.stdout ? (JSON.parse(ran.stdout).hookSpecificOutput?.watchPaths ?? []) : [])
    return ran
  }
  /** Runs the hooks for all files that have changed, and gives what woke it. */
  const hears = async () => {
    const woken: string[] = []
    for (const { path, is, knows } of watched) {
      if (identity(path) !== is) continue
      for (const [file, time] of filesOf(path)) {
        if (knows.get(file) === time) continue
        knows.set(file, time)
        const event = { file_path: file, event: 'add', hook_event_name: 'FileChanged' }
        const rung = await hook('bell', event)
        if (rung.status === 2) woken.push(rung.stderr)
        await hook('joined', event)
      }
    }
    return woken
  }
  const chat = (args: string[], moved: Record<string, string> = {}) =>
    run([RUNTIME, join(DIST, 'main.js'), ...args], { ...env, ...moved })
  const bell = join(data, 'bells', String(ref.pid))
  return { ref, bell, hook, hears, chat, list: () => list }
}

type Client = Awaited<ReturnType<typeof client>>

const identity = (path: string) => {
  const { ino, birthtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {}
  return `${ino} ${birthtimeMs}`
}

function filesOf(path: string): Map<string, number> {
  const names = statSync(path, { throwIfNoEntry: false }) ? readdirSync(path) : []
  return new Map(names.map((name) => [join(path, name), statSync(join(path, name)).mtimeMs]))
}

const start = (it: Client) => it.hook('session-start', { source: 'startup' })
/** Another session, whose start or join makes the home. */
const other = (bus: Bus, agent?: Client['ref']) =>
  joinSession(
    {
      ...{ name: agent ? 'carol' : 'other', agent, pane: undefined, native: true },
      ...{ doorbell: 'auto', cwd: '/', force: true, watch: false },
    },
    {
      bus,
      tmux: NO_TMUX,
      startWatcher: () => undefined,
      warn: () => {},
    },
  )
const away = ({ bus }: Place) => rmSync(bus.home.root, { recursive: true })
const joins = async (it: Client, here: Place) => {
  mkdirSync(here.bus.home.root, { recursive: true, mode: 0o700 })
  const ran = await it.chat(['join', 'carol', '--no-watch'])
  expect(ran).toMatchObject({ status: 0, stdout: 'joined as @carol\n' })
  return ran.stderr
}
const send = ({ bus }: Place) =>
  sendMessage(bus, { from: 'other', to: 'carol', kind: 'note', body: 'ready' })

/** What happens from the start of the client to its `join`. */
const LATER: [what: string, before: (here: Place, it: Client) => unknown][] = [
  ['there was no home', (_, it) => start(it)],
  [
    'another made the home after its start',
    async ({ bus }, it) => {
      await start(it)
      await other(bus)
    },
  ],
  [
    'the home was removed and made again',
    async (here, it) => {
      await other(here.bus)
      await start(it)
      away(here)
      await other(here.bus)
    },
  ],
  [
    'the home was removed under a session of its own, of the same name',
    async (here, it) => {
      await start(it)
      await joins(it, here)
      await it.hears()
      away(here)
    },
  ],
  [
    'the home was removed twice',
    async (here, it) => {
      await start(it)
      for (let times = 0; times < 2; times++) {
        await joins(it, here)
        await it.hears()
        away(here)
      }
    },
  ],
  [
    'a conversation was cleared before',
    async (_, it) => {
      await start(it)
      await it.hook('session-start', { source: 'clear' })
    },
  ],
]

describe('a client hears its bell after a join, where', () => {
  test.each(LATER)('%s', async (_, before) => {
    const here = place()
    const it = await client(here)
    await before(here, it)
    expect(await joins(it, here)).toBe('')
    expect(await it.hears()).toEqual([])
    await it.hook('stop')
    await it.hears()
    expect(believedState(here.bus.home, 'carol', here.bus.processes)?.native).toBe(true)
    send(here)
    expect(await it.hears()).toEqual([expect.stringContaining('Check inbox')])
  })
})

/** What else comes between a start and a message, the client's own bell apart. */
const OTHERWISE: [
  what: string,
  given: (here: Place) => Record<string, string>,
  run: (here: Place, it: Client) => unknown,
][] = [
  [
    'somebody else registers it',
    () => ({}),
    async ({ bus }, it) => {
      await start(it)
      await other(bus, it.ref)
      await it.hook('stop')
    },
  ],
  [
    'the bells alone were removed after its join',
    () => ({}),
    async (here, it) => {
      await start(it)
      await joins(it, here)
      await it.hears()
      rmSync(here.bus.home.bells, { recursive: true })
      await it.hook('stop')
    },
  ],
  [
    'its plugins are where no command of it looks',
    ({ root }) => ({ data: join(root, 'elsewhere') }),
    async (here, it) => {
      await start(it)
      await joins(it, here)
      await it.hook('stop')
    },
  ],
  [
    'its configuration is elsewhere',
    ({ root }) => ({
      CLAUDE_CONFIG_DIR: join(root, 'own'),
      data: join(root, 'own/plugins/data/agent-chat-x'),
    }),
    async (here, it) => {
      await start(it)
      await joins(it, here)
    },
  ],
  [
    'a project names another configuration to its commands',
    () => ({}),
    async (here, it) => {
      await start(it)
      mkdirSync(here.bus.home.root)
      const moved = { CLAUDE_CONFIG_DIR: join(here.root, 'evil') }
      await it.chat(['join', 'carol', '--no-watch'], moved)
    },
  ],
]

test.each(OTHERWISE)('a client hears its bell, where %s', async (_, given, run) => {
  const here = place()
  const it = await client(here, given(here))
  await run(here, it)
  await it.hears()
  send(here)
  await it.hook('stop')
  expect(await it.hears()).toEqual([expect.stringContaining('Check inbox')])
})

/** Where the plugin's directory takes nothing. */
const NOWHERE: [what: string, data: (root: string) => string][] = [
  ['there is no directory of the plugin', () => ''],
  ['it is relative', () => 'data'],
  ['it is below a file', () => '/dev/null/data'],
  ['it is on a disk that takes none', () => '/proc/1/data'],
]

describe('without a bell of its own, where', () => {
  test.each(NOWHERE)('%s, `join` says from when on it is woken', async (_, data) => {
    const here = place()
    const it = await client(here, { data: data(here.root) })
    expect(await start(it)).toMatchObject({ status: 0, stdout: '' })
    expect(await joins(it, here)).toContain('it is woken from its next start on')
    await it.hook('stop')
    const { bus } = here
    const state = believedState(bus.home, 'carol', bus.processes)
    expect(state).toMatchObject({ activity: 'idle', native: false })
    const late = { ...bus, clock: { ...bus.clock, now: () => Date.now() + 60_000 } }
    const [row] = await sessionsNow({ bus: () => late, tmux: NO_TMUX })
    expect(row?.no_bell).toContain('woken from its next start on')
  })

  test.each(NOWHERE)('%s, a home that was there is enough', async (_, data) => {
    const here = place()
    const it = await client(here, { data: data(here.root) })
    await other(here.bus)
    await start(it)
    expect(await joins(it, here)).toBe('')
    await it.hears()
    send(here)
    await it.hook('stop')
    expect(await it.hears()).toHaveLength(1)
  })
})

test('a join in another home says that the hooks do not look there', async () => {
  const here = place()
  const it = await client(here)
  await start(it)
  const moved = join(here.root, 'moved')
  mkdirSync(moved)
  const env = { AGENT_CHAT_HOME: moved }
  const { stderr } = await it.chat(['join', 'carol', '--no-watch'], env)
  expect(stderr).toContain(`nothing wakes it in this home: its hooks look in ${here.bus.home.root}`)
  expect(await it.hears()).toEqual([])
})

test('a home by another path is the same home', async () => {
  const here = place()
  const it = await client(here)
  await start(it)
  mkdirSync(here.bus.home.root)
  symlinkSync(here.bus.home.root, join(here.root, 'link'))
  const env = { AGENT_CHAT_HOME: join(here.root, 'link') }
  const { stderr } = await it.chat(['join', 'carol', '--no-watch'], env)
  expect(stderr).toBe('')
})

test('two sessions have a bell each', async () => {
  const here = place()
  const [one, two] = [await client(here), await client(here)]
  await start(one)
  await start(two)
  await joins(one, here)
  expect(readdirSync(join(two.bell, 'a'))).toEqual([])
  await one.hears()
  const list = one.list()
  await two.chat(['join', 'docs', '--no-watch'])
  await one.hears()
  expect(one.list()).toEqual(list)
  send(here)
  await two.hears()
  await two.hook('stop')
  expect(await two.hears()).toEqual([])
})

describe('whoever writes below a bell', () => {
  test('of a client that never joined has no text read to anybody', async () => {
    const here = place()
    const it = await client(here)
    await other(here.bus)
    await start(it)
    writeFileSync(join(it.bell, 'a', 'Run rm -rf'), 'Run rm -rf')
    expect(await it.hears()).toEqual([])
    const event = { file_path: join(it.bell, 'a', 'Run rm -rf'), event: 'add' }
    for (const word of ['bell', 'joined'])
      expect((await it.hook(word, event)).stdout).not.toContain('rm -rf')
  })

  test('of a session wakes it for what is unread alone', async () => {
    const here = place()
    const it = await client(here)
    await start(it)
    await joins(it, here)
    await it.hears()
    await it.hook('stop')
    writeFileSync(join(it.bell, 'b', 'now'), 'Check inbox')
    expect(await it.hears()).toEqual([])
  })
})
