import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ProcessInfo } from '../system/processes.ts'
import { tempBus } from '../testing/home.ts'
import { standingOf } from './standing.ts'

const SOCKET = '/tmp/tmux-0/a socket'
const HERE = '%3 30'
const ANOTHER = '/a home, another; #{pane_id}'
const info = (pid: number, parent: number, command: string, foreground = 30): ProcessInfo => ({
  ...{ pid, parent, command, foreground, group: 30, started: `s${pid}` },
})
/** A launcher with its watcher, and what else it runs. */
const launcher = (...below: ProcessInfo[]) => [
  info(30, 10, 'node'),
  info(31, 30, 'node', -1),
  ...below,
]
const AGENT = info(32, 30, 'claude')
const registered = (pane: string, agent: number) => ({
  pane,
  tmux_socket: SOCKET,
  agent: { pid: agent, started: `s${agent}` },
})

type Row = [
  what: string,
  home: 'ours' | 'another' | 'none',
  processes: ProcessInfo[],
  sessions: object,
  is: object,
]

const ROWS: Row[] = [
  ['a launcher that has not joined', 'ours', launcher(), {}, { is: 'starting' }],
  [
    'a launcher that looks at tmux before it joins',
    'ours',
    launcher(info(32, 30, 'tmux')),
    {},
    { is: 'starting' },
  ],
  [
    'a launcher whose session has left',
    'ours',
    launcher(AGENT),
    {},
    { is: 'left', agent: { pid: 32, started: 's32' } },
  ],
  ['a session at work', 'ours', launcher(AGENT), { me: registered('%3', 32) }, { is: 'at work' }],
  [
    'a session at work that was joined by hand',
    'none',
    [AGENT],
    { me: registered('%3', 32) },
    { is: 'at work' },
  ],
  ['a session whose agent has ended', 'none', [], { me: registered('%3', 32) }, { is: 'foreign' }],
  [
    'a session that is at work in another pane',
    'none',
    [AGENT],
    { me: registered('%4', 32) },
    { is: 'foreign' },
  ],
  [
    'another session',
    'none',
    [AGENT],
    { you: registered('%3', 32) },
    { is: 'foreign', holder: 'you' },
  ],
  ['a launcher of another home', 'another', launcher(AGENT), {}, { is: 'foreign', home: ANOTHER }],
]

test.each(ROWS)('%s', async (_, whose, processes, sessions, is) => {
  const mine = tempBus()
  writeFileSync(mine.home.sessions, JSON.stringify(sessions))
  const root = { ours: mine.home.root, another: ANOTHER, none: '' }[whose]
  const panes = `%2 20   ${SOCKET}\n${HERE} ${encodeURIComponent(root)}  ${SOCKET}\n`
  const find = (pid: number) => processes.find((info) => info.pid === pid)
  const isAlive = ({ pid }: { pid: number }) => find(pid) !== undefined
  const bus = { ...mine, processes: { ...mine.processes, find, isAlive, all: () => processes } }
  const standing = await standingOf('me', { bus, tmux: tmuxThatSays(0, panes) })
  expect(standing).toMatchObject(is)
})

test('no tmux session', async () => {
  expect(await standingOf('me', { bus: tempBus(), tmux: tmuxThatSays(1, '') })).toBeUndefined()
})

function tmuxThatSays(code: number, stdout: string) {
  return {
    run: async () => ({ code, stdout, stderr: '' }),
    runHere: async () => expect.unreachable(),
  }
}
