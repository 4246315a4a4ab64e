import { describe, expect, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { noteFell, noteLaunch } from '../session/launched.ts'
import type { SessionRow } from '../session/sessionRows.ts'
import { localTime } from '../system/zone.ts'
import { tempBus } from '../testing/home.ts'
import { failedNeeds } from './failed.ts'

const AT = '2026-11-28T15:00:00.000Z'
const NOW = Date.parse('2026-11-28T15:05:00.000Z')

const row = (fields: Partial<SessionRow> = {}): SessionRow => ({
  ...{ name: 'backend', pane: '%1', tmux_socket: '/s', state: 'idle', since: AT, unread: 0 },
  ...{ held: 0, joined_at: AT, alive: 'alive', watcher: true, waiting: null, cwd: '/api' },
  ...fields,
})

const bus = (): Bus => tempBus([], { now: () => NOW } as never)
const failed = (error: string) => row({ failed: { error, at: AT, times: 1 } })

describe('a turn that ended by an error', () => {
  test.each<[error: string, type: string, what: string]>([
    ['529 Overloaded', 'failed', 'its last turn failed: 529 Overloaded'],
    ['API Error: 401', 'failed', 'its last turn failed: API Error: 401'],
    ['Prompt is too long', 'failed', 'its last turn failed: Prompt is too long'],
    // What names a limit of something else is none of the usage.
    ['output token limit reached', 'failed', 'its last turn failed: output token limit reached'],
    [
      'You have hit your session limit · resets 4pm (UTC)',
      'limited',
      `its usage limit is reached until ${localTime('2026-11-28T16:00:00.000Z')}: You have hit your session limit · resets 4pm (UTC)`,
    ],
    [
      'Claude usage limit reached.',
      'limited',
      'its usage limit is reached: Claude usage limit reached.',
    ],
    // It is over: what is unread rings again by itself, what you typed does not.
    [
      'You have hit your limit · resets 3:02pm (UTC)',
      'failed',
      'its last turn failed: You have hit your limit · resets 3:02pm (UTC)',
    ],
  ])('%s', (error, type, why) => {
    const answer = 'agent-chat attach backend'
    const need = { type, key: `${type} backend ${AT}`, name: 'backend', at: AT, why, answer }
    expect(failedNeeds(bus(), [failed(error)])).toEqual([need])
  })

  test.each(['busy', 'asking', 'gone', 'suspended'])('is none while it is %s', (state) => {
    expect(failedNeeds(bus(), [{ ...failed('529'), state }])).toEqual([])
  })

  test('of a session without a pane is answered where that runs', () => {
    const answer = 'in its own terminal, in /api'
    expect(failedNeeds(bus(), [{ ...failed('529'), pane: null }])).toMatchObject([{ answer }])
  })
})

describe('hooks that do not run', () => {
  const no_hooks = 'hooks do not run here: it was started with --bare'

  test('need you, and doctor says what to do', () => {
    expect(failedNeeds(bus(), [row({ no_hooks })])).toMatchObject([
      { type: 'failed', why: no_hooks, answer: 'agent-chat doctor' },
    ])
  })

  test.each([
    ['a client that has just started', { joined_at: new Date(NOW - 5000).toISOString() }],
    ['one that has ended', { alive: 'gone' as const }],
  ])('%s is none', (_, fields) => {
    expect(failedNeeds(bus(), [row({ no_hooks, ...fields })])).toEqual([])
  })
})

test('a worker that failed', () => {
  const worker = { activity: 'failed', since: AT, reason: 'no login', runs: false } as never
  expect(failedNeeds(bus(), [row({ worker })])).toMatchObject([
    { type: 'failed', why: 'no login', answer: 'agent-chat restart backend' },
  ])
})

describe('an agent that ended by itself', () => {
  const gone = { pid: 4_000_000, started: 'x' }
  const launch = (here: Bus, server: typeof gone | null = null) => {
    const self = here.processes.self()
    const [boot] = /^[0-9a-f]{8}-/.exec(self.started) ?? ['']
    const agent = { ...gone, started: `${boot}1` }
    const rest = { program: null, command: null, args: [], cwd: '/', config: null }
    noteLaunch(here, 'backend', { ...rest, agent, server, started: new Date().toISOString() })
  }
  const fell = (here: Bus, signal: string | null) =>
    noteFell(here, 'backend', { code: 137, signal, at: AT })

  test.each([
    ['SIGKILL', 'its agent ended (SIGKILL)'],
    [null, 'its agent ended (exit code 137)'],
  ])('by %s', (signal, why) => {
    const here = tempBus()
    launch(here)
    fell(here, signal)
    const answer = 'agent-chat resume backend'
    expect(failedNeeds(here, [])).toMatchObject([{ type: 'failed', name: 'backend', why, answer }])
  })

  test('is none where nothing says how, with the machine or its tmux, and once it is back', () => {
    const here = tempBus()
    launch(here)
    expect(failedNeeds(here, [])).toEqual([])
    launch(here, gone)
    fell(here, 'SIGKILL')
    expect(failedNeeds(here, [])).toEqual([])
    launch(here)
    expect(failedNeeds(here, [])).toEqual([])
  })
})
