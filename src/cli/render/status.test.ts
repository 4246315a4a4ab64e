import { describe, expect, test } from 'vitest'
import type { StatusRow } from '../../chat/status/statusRow.ts'
import { shortId } from '../../message/shortId.ts'
import { renderStatus } from './status.ts'

const NOW = Date.parse('2026-11-21T12:00:00.000Z')
const AT = (minutesAgo: number) => new Date(NOW - minutesAgo * 60_000).toISOString()
const ID = '20261121T033912.123456Z-from-backend'

const ROW: StatusRow = {
  name: 'frontend',
  pane: '%3',
  tmux_socket: '/tmp/tmux-0/default',
  state: 'busy',
  unread: 2,
  held: 0,
  joined_at: AT(180),
  alive: 'alive',
  watcher: true,
  waiting: null,
  cwd: '/src/web',
  since: AT(3),
  uptime_seconds: 10_800,
  handled: 12,
  last_seen: AT(1),
  tasks: [],
  tasks_given: 0,
  asks: [],
  doorbell: {
    choice: 'auto',
    in_use: 'native',
    paused: false,
    last_ring: { by: 'native', at: AT(2), presented: AT(2) },
  },
}
const BELL = { choice: 'auto', in_use: null, paused: false, last_ring: null }

/** The line with this label in the block of one row, without its label. */
function line(label: string, fields: Partial<StatusRow>): string | undefined {
  const found = renderStatus([{ ...ROW, ...fields }], NOW)
    .split('\n')
    .find((text) => text.startsWith(`  ${label}  `))
  return found?.slice(label.length + 2).trim()
}

test('a session is a block of labels and values', () => {
  const task = { id: ID, from: 'backend', title: 'API contract', state: 'working', since: AT(60) }
  expect(
    renderStatus(
      [{ ...ROW, tasks: [task], tasks_given: 2, asks: [{ to: 'backend', id: ID }] }],
      NOW,
    ),
  ).toBe(
    `@frontend
  state      busy for 3m
  task       API contract, from @backend: working, since 1 hour ago (${shortId(ID)})
  given      2 open tasks to others
  ask        waiting for an answer from @backend to ${shortId(ID)}
  up         3h
  messages   12 handled, 2 unread
  last seen  1 minute ago
  doorbell   native; last rang 2 minutes ago, presented
  pane       %3
  directory  /src/web
`,
  )
})

test('one whose turn is over has finished, since when, and one without a turn is idle', () => {
  const idle = { state: 'idle', since: AT(3) }
  expect(line('state', { ...idle, finished_at: AT(3) })).toBe('finished 3 minutes ago')
  expect(line('state', idle)).toBe('idle for 3m')
  const worker = { activity: 'idle', since: AT(3), runs: true, reason: null }
  expect(line('state', { ...idle, worker: worker as never })).toBe('worker, idle for 3m')
})

test('sessions stand apart, and none is said', () => {
  expect(renderStatus([ROW, { ...ROW, name: 'backend' }], NOW)).toMatch(
    / {2}directory {2}\/src\/web\n\n@backend\n/,
  )
  expect(renderStatus([], NOW)).toBe('no sessions yet; start one with: agent-chat start backend\n')
})

const LINES: [label: string, fields: Partial<StatusRow>, value: string | undefined][] = [
  ['state', { state: 'gone', since: null }, 'gone: its agent has ended'],
  ['state', { state: 'unknown', since: null }, 'unknown: its agent tells nothing of what it does'],
  ['state', { state: 'asking' }, 'asking its user for 3m'],
  [
    'state',
    { state: 'asking', dialog: 'trust' },
    'waits for you to trust this folder: agent-chat attach frontend, since 3 minutes ago',
  ],
  ['state', { state: 'left', since: null }, 'not registered'],
  ['ask', { asks: [{ to: 'backend', id: null }] }, 'waiting for an answer from @backend'],
  ['given', { tasks_given: 1 }, '1 open task to others'],
  ['up', { uptime_seconds: null }, undefined],
  ['joined', { uptime_seconds: null }, '3 hours ago'],
  ['joined', { uptime_seconds: null, joined_at: '1970-01-01T00:00:00.000Z' }, undefined],
  ['messages', { held: 1 }, '12 handled, 2 unread (1 held: agent-chat gate)'],
  ['messages', { name: 'human', state: 'human' }, '12 handled, 2 unread: agent-chat inbox human'],
  ['last seen', { last_seen: null }, 'never'],
  ['doorbell', { doorbell: null }, undefined],
  ['doorbell', { state: 'gone' }, undefined],
  [
    'question',
    { questions: [{ id: ID, from: 'backend', at: AT(5), title: 'why?', decision: null }] },
    `from @backend, 5 minutes ago: why? (agent-chat reply ${shortId(ID)})`,
  ],
  [
    'question',
    { questions: [{ id: ID, from: 'backend', at: AT(5), title: 'why?', decision: 3 }] },
    'from @backend, 5 minutes ago: why? (agent-chat reply 3)',
  ],
]
test.each(LINES)('%s of %j', (label, fields, value) => expect(line(label, fields)).toBe(value))

describe('the doorbell', () => {
  const ROWS: [fields: Partial<StatusRow>, value: string][] = [
    [{ doorbell: BELL, pane: null }, 'none: it is not in a tmux pane; has not rung yet'],
    [
      { doorbell: BELL, watcher: false },
      'none: no watcher is running: agent-chat doctor; has not rung yet',
    ],
    [
      { doorbell: { ...BELL, choice: 'native' } },
      'none: its agent does not listen to it; has not rung yet',
    ],
    [
      { doorbell: { ...BELL, choice: 'stdout' } },
      'none: start it with agent-chat watch frontend --doorbell stdout; has not rung yet',
    ],
    [
      { doorbell: { ...BELL, in_use: 'tmux', paused: true } },
      'tmux; paused: agent-chat unpause; has not rung yet',
    ],
    [
      {
        doorbell: { ...BELL, in_use: 'tmux' },
        waiting: { count: 1, since: AT(1), why: 'a draft' },
      },
      'tmux; not delivered yet: a draft; has not rung yet',
    ],
    [
      {
        doorbell: {
          ...BELL,
          in_use: 'native',
          last_ring: { by: 'tmux', at: AT(9), presented: null },
        },
      },
      'native; last rang 9 minutes ago by tmux, not yet seen by the agent',
    ],
    [
      {
        doorbell: {
          ...BELL,
          in_use: 'native',
          last_ring: { by: 'prompt', at: AT(9), presented: AT(9) },
        },
      },
      'native; shown with a prompt of its user 9 minutes ago',
    ],
  ]
  test.each(ROWS)('%j', (fields, value) => expect(line('doorbell', fields)).toBe(value))
})

test('nothing that others wrote is obeyed by a terminal', () => {
  const bad = '\u001b[2J\nx'
  const text = renderStatus(
    [
      {
        ...ROW,
        pane: bad,
        cwd: bad,
        waiting: { count: 1, since: AT(1), why: bad },
        tasks: [{ id: ID, from: bad, title: bad, state: 'sent', since: AT(1) }],
        asks: [{ to: bad, id: bad }],
        doorbell: { ...BELL, choice: bad, last_ring: { by: bad, at: AT(1), presented: null } },
      },
    ],
    NOW,
  )
  expect(text).not.toContain('\u001b')
  expect(text.trimEnd().split('\n')).toHaveLength(10)
})
