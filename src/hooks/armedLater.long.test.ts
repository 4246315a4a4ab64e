import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sessionsNow } from '../session/sessionRows.ts'
import { believedState } from '../session/stateFile.ts'
import type { Tmux } from '../system/tmux.ts'
import {
  joins,
  type Place,
  place,
  registers,
  send,
  start,
  type WatchingClient,
  watchingClient,
} from '../testing/watchingClient.ts'

const NO_TMUX: Tmux = {
  run: async () => ({ code: 1, stdout: '', stderr: '' }),
  runHere: async () => 1,
}

/** What else comes between a start and a message, the client's own bell apart. */
const OTHERWISE: [
  what: string,
  given: (here: Place) => Record<string, string>,
  run: (here: Place, it: WatchingClient) => unknown,
][] = [
  [
    'somebody else registers it',
    () => ({}),
    async ({ bus }, it) => {
      await start(it)
      registers(bus, it.ref)
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
  const it = await watchingClient(here, given(here))
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
    const it = await watchingClient(here, { data: data(here.root) })
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
    const it = await watchingClient(here, { data: data(here.root) })
    registers(here.bus)
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
  const it = await watchingClient(here)
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
  const it = await watchingClient(here)
  await start(it)
  mkdirSync(here.bus.home.root)
  symlinkSync(here.bus.home.root, join(here.root, 'link'))
  const env = { AGENT_CHAT_HOME: join(here.root, 'link') }
  const { stderr } = await it.chat(['join', 'carol', '--no-watch'], env)
  expect(stderr).toBe('')
})
