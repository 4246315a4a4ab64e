import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { GAP_MS, typeRing } from '../../src/doorbell/tmux.ts'
import { systemTmux, type Tmux } from '../../src/system/tmux.ts'
import { eventsOf } from '../../src/testing/home.ts'
import { until } from '../../src/testing/until.ts'
import type { Pane } from '../e2e/harness/pane.ts'
import {
  joinPane,
  refOf,
  type StandIn,
  send,
  serverForTest,
  standIn,
  tmuxWorld,
  type World,
  waits,
} from './world.ts'

const ONE = 'New message from @backend. Check inbox.'

/** tmux's command lines; `PANE` is the session's pane, `OTHER` the one beside it. */
type Lines = string[]

const SYNC = 'synchronize-panes'
const LEAVE_MODE = ['copy-mode -q -t PANE']

const CLOSED: [state: string, into: Lines, out: Lines, why: RegExp][] = [
  [`${SYNC} of the window`, [`set -w -t PANE ${SYNC} on`], [`set -w -t PANE ${SYNC} off`], /sync/],
  [`${SYNC} of every window`, [`set -g ${SYNC} on`], [`set -g ${SYNC} off`], /sync/],
  [
    `${SYNC} of both panes`,
    [`set -p -t PANE ${SYNC} on`, `set -p -t OTHER ${SYNC} on`],
    [`set -p -t PANE ${SYNC} off`],
    /sync/,
  ],
  [
    `${SYNC} behind a pane that fills the window`,
    ['resize-pane -Z -t PANE', `set -w -t PANE ${SYNC} on`],
    [`set -w -t PANE ${SYNC} off`],
    /sync/,
  ],
  ['input off', ['select-pane -d -t PANE'], ['select-pane -e -t PANE'], /takes no input/],
  ['copy mode', ['copy-mode -t PANE'], LEAVE_MODE, /the pane is in copy mode/],
  ['choose-tree', ['choose-tree -t PANE'], LEAVE_MODE, /the pane is in tree mode/],
  [
    'choose-buffer',
    ['set-buffer x', 'choose-buffer -t PANE'],
    LEAVE_MODE,
    /the pane is in buffer mode/,
  ],
  ['customize-mode', ['customize-mode -t PANE'], LEAVE_MODE, /the pane is in options mode/],
  ['clock-mode', ['clock-mode -t PANE'], LEAVE_MODE, /the pane is in clock mode/],
  [
    'a mode over another mode',
    ['copy-mode -t PANE', 'choose-tree -t PANE'],
    LEAVE_MODE,
    /the pane is in tree mode/,
  ],
]

test.each(CLOSED)('%s: no key, and who and show say why', async (_, into, out, why) => {
  const { world, agent, other, set } = await twoPanes()
  await set(into)
  const id = send(world, 'backend', 'frontend')
  await waits(world, 'frontend', why)
  expect((await world.run(['who'])).stdout).toMatch(why)
  expect((await world.run(['show', id])).stdout).toMatch(why)
  expect([agent.pieces(), other.pieces()]).toEqual([[], []])
  await set(out)
  await rung(world, agent)
  expect([agent.pieces(), other.pieces()]).toEqual([[ONE, '\r'], []])
})

/** States in which the keys of a client go elsewhere, and those of a doorbell do not. */
const OPEN: [state: string, into: Lines][] = [
  ['a command prompt of tmux', ['command-prompt -b -t CLIENT']],
  ['a question of tmux', ['confirm-before -b -t CLIENT kill-server']],
  ['a key table', ['bind -T mine Enter kill-server', 'switch-client -c CLIENT -T mine']],
  ['a bound Enter', ['bind -n Enter kill-server', 'bind -n N kill-server']],
  ['a linked window', ['new-session -d -s second cat', 'link-window -s PANE -t second:']],
  [`${SYNC} of the other pane alone`, [`set -p -t OTHER ${SYNC} on`]],
  [`${SYNC} of a window with no other pane`, ['break-pane -d -s OTHER', `set -g ${SYNC} on`]],
]

test.each(OPEN)('%s: the session alone gets its ring', async (_, into) => {
  const { world, agent, other, set } = await twoPanes({ client: true })
  await set(into)
  send(world, 'backend', 'frontend')
  await rung(world, agent)
  expect([agent.pieces(), other.pieces()]).toEqual([[ONE, '\r'], []])
})

describe('what stands beside a session in a synchronized window', () => {
  test('a dialog of another program is not answered', async () => {
    const { world, agent, other, set } = await twoPanes()
    const done = join(world.directory, 'done')
    const ask = `printf 'May it run?\\n❯ 1. Yes '; read -r answer; touch '${done}'; exec cat`
    await set([`set -w -t PANE ${SYNC} on`])
    await world.server.tmux('respawn-pane', '-k', '-t', other.pane.id, 'sh', '-c', ask)
    await other.pane.waitFor(/1\. Yes/)
    const before = await other.pane.screen()
    send(world, 'backend', 'frontend')
    await waits(world, 'frontend', /sync/)
    await set([`set -w -t PANE ${SYNC} off`])
    await rung(world, agent)
    expect(await other.pane.screen()).toBe(before)
    expect(existsSync(done)).toBe(false)
  })

  test('a shell runs nothing', async () => {
    const { world, agent, other, set } = await twoPanes()
    await set([`set -w -t PANE ${SYNC} on`])
    await world.server.tmux('respawn-pane', '-k', '-t', other.pane.id, 'bash', '--norc')
    await other.pane.waitFor(/^bash-/m)
    const before = await other.pane.screen()
    send(world, 'backend', 'frontend')
    await waits(world, 'frontend', /sync/)
    await set([`set -w -t PANE ${SYNC} off`])
    await rung(world, agent)
    expect(await other.pane.screen()).toBe(before)
  })
})

describe('what changes between the look and the key', () => {
  const CHANGES: [change: string, into: Lines, why: RegExp][] = [
    [SYNC, [`set -w -t PANE ${SYNC} on`], /sync/],
    ['input off', ['select-pane -d -t PANE'], /takes no input/],
    ['choose-tree', ['choose-tree -t PANE'], /tree mode/],
    ['another program in the pane', ['respawn-pane -k -t PANE cat'], /the pane has changed/],
    [
      'a dead pane',
      ['set -w -t PANE remain-on-exit on', 'respawn-pane -k -t PANE true'],
      // Until tmux has seen the end, another program is in it.
      /the pane (is gone|has changed)/,
    ],
    ['no pane', ['kill-pane -t PANE'], /the pane is gone/],
  ]
  const STEPS: [before: string, key: number, got: string[], paste: boolean][] = [
    ['the first character', 1, [], false],
    ['the rest', 2, ['N'], false],
    ['Enter', 3, [ONE], false],
    ['a paste', 1, [], true],
    ['Enter behind a paste', 2, [ONE], true],
  ]
  const rows = CHANGES.flatMap(([change, into, why]) =>
    STEPS.map(([before, key, got, paste]) => ({ change, before, into, why, key, got, paste })),
  )

  test.each(rows)('$change before $before: not typed', async ({ into, why, key, got, paste }) => {
    const { world, agent, other, set } = await twoPanes({ joined: false })
    const pid = await agent.pane.pid()
    let keys = 0
    const real = systemTmux(() => '')
    const run: Tmux['run'] = async (args, ...rest) => {
      if (/send-keys|paste-buffer/.test(args.join(' ')) && ++keys === key) await set(into)
      return real.run(args, ...rest)
    }
    const result = await typeRing(
      {
        session: { name: 'frontend', agent: refOf(world, pid) } as never,
        address: { socket: world.server.socket, pane: agent.pane.id },
        ...{ text: () => ONE, leftBehind: [], screen: paste ? { paste } : {} },
        ...{ tooSoon: () => undefined, forbidden: () => undefined },
      },
      { tmux: { ...real, run }, processes: world.bus.processes, pause: patient },
    )
    const typed = got.length > 0
    expect(result).toMatchObject({ kind: 'wait', why: expect.stringMatching(why), typed })
    if (typed) expect(result).toMatchObject({ left: { line: ONE, typed: got[0] } })
    expect([agent.pieces(), other.pieces()]).toEqual([got, []])
  })
})

/** An agent on a busy machine gets the time that it needs until it shows what was typed. */
const patient = (ms: number) => pause(ms < GAP_MS ? 20 * ms : ms)

const rung = ({ bus }: World, agent: StandIn) =>
  until('the ring', () => eventsOf(bus.home, 'rung').length === 1 && agent.pieces().includes('\r'))

/** A session whose pane has another one beside it; with `client`, somebody looks at them. */
async function twoPanes({ client = false, joined = true } = {}): Promise<{
  world: World
  agent: StandIn
  other: StandIn & { pane: Pane }
  set: (lines: Lines) => Promise<void>
}> {
  const world = await tmuxWorld()
  const { server } = world
  const [agent, other] = [await standIn(world), await standIn(world)]
  await server.tmux('join-pane', '-d', '-h', '-s', other.pane.id, '-t', agent.pane.id)
  if (joined) await joinPane(world, 'frontend', agent.pane)
  const clients = async () => (await server.tmux('list-clients', '-F', '#{client_tty}')).trim()
  if (client) {
    const screen = await serverForTest()
    await screen.newSession({ cmd: `TMUX= exec tmux -S '${server.socket}' attach` })
    await until('the client', async () => (await clients()) !== '')
  }
  const tty = client ? await clients() : ''
  const names: Record<string, string> = { PANE: agent.pane.id, OTHER: other.pane.id, CLIENT: tty }
  const set = async (lines: Lines) => {
    for (const line of lines)
      await server.tmux(...line.split(' ').map((word) => names[word] ?? word))
  }
  return { world, agent, other, set }
}
