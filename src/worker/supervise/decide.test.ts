import { describe, expect, test } from 'vitest'
import type { WorkerActivity, WorkerState } from '../../session/workerState.ts'
import { decide, type Seen } from './decide.ts'

const NOW = Date.parse('2026-11-22T12:00:00.000Z')
const at = (ms: number) => new Date(NOW + ms).toISOString()

function stateOf(activity: WorkerActivity, since: number, beat = since): WorkerState {
  return {
    ...{
      name: 'coder',
      activity,
      since: at(since),
      started: at(since),
      beat: at(beat),
      requests: 0,
    },
    process: { pid: 1, started: 'x' },
    definition: { path: '', hash: '' },
    restarts: [],
  }
}

function seen(change: Partial<Seen>): Seen {
  return {
    ...{ state: undefined, runs: false, wish: undefined, persistent: true, unread: false },
    taken: false,
    ...{ launched: undefined, ended: undefined, restarts: [] },
    ...change,
  }
}

const up = (ms: number) => ({ want: 'up' as const, at: at(ms), cwd: '/' })
const down = { want: 'down' as const, at: at(-1), cwd: '/' }
const idle = stateOf('idle', -1000)
const crashed = (since: number) => ({ ...stateOf('crashed', since), reason: 'it fell' })
const restarts = (...ms: number[]) => ms.map(at)

describe('what is done with a worker', () => {
  test.each<[string, Partial<Seen>, string]>([
    ['nobody wants it', {}, 'nothing'],
    ['it was asked for', { wish: up(-5) }, 'start'],
    ['it was asked for and runs', { wish: up(-5), state: idle, runs: true }, 'nothing'],
    [
      'it was stopped and asked for within one millisecond',
      { wish: up(-5), state: stateOf('stopped', -5) },
      'start',
    ],
    ['it is on its way', { wish: up(-5), launched: NOW - 1000 }, 'nothing'],
    [
      'it was asked for, and stopped while the clock was ahead',
      { wish: up(-5), state: stateOf('stopped', 3_600_000) },
      'start',
    ],
    [
      'it is on its way, and the old state is still there',
      { wish: up(-5), state: stateOf('busy', -9000), launched: NOW - 10 },
      'nothing',
    ],
    ['it never came', { wish: up(-40_000), launched: NOW - 31_000 }, 'crashed'],
    ['it runs, and never said a word', { launched: NOW - 31_000, runs: true }, 'end'],
    ['it ended before it had a state', { launched: NOW - 10, ended: 3 }, 'crashed'],
    [
      'it gave no sign for 89 s',
      { state: stateOf('busy', -200_000, -89_000), runs: true },
      'nothing',
    ],
    ['it gave no sign for 91 s', { state: stateOf('busy', -200_000, -91_000), runs: true }, 'end'],
    ['its process is gone', { state: idle }, 'crashed'],
    ['its process is gone, as was wished', { state: idle, wish: down }, 'stopped'],
    ['it has crashed', { state: crashed(-1) }, 'start'],
    ['it has crashed again', { state: crashed(-900), restarts: restarts(-2000) }, 'nothing'],
    [
      'it has crashed again, a second ago',
      { state: crashed(-1000), restarts: restarts(-2000) },
      'start',
    ],
    ['the third time', { state: crashed(-3900), restarts: restarts(-5000, -4500) }, 'nothing'],
    [
      'the third time, 4 s ago',
      { state: crashed(-4000), restarts: restarts(-5000, -4500) },
      'start',
    ],
    [
      'the fourth time',
      { state: crashed(-9000), restarts: restarts(-9999, -9998, -9997) },
      'give up',
    ],
    [
      'the fourth time in 6 minutes',
      { state: crashed(-4000), restarts: restarts(-360_000, -9998, -9997) },
      'start',
    ],
    ['one for once has crashed', { state: crashed(-1), persistent: false }, 'stopped'],
    [
      'one for once has crashed with a message',
      { state: crashed(-1), persistent: false, unread: true },
      'start',
    ],
    ['it has failed', { state: stateOf('failed', -10), wish: up(-20), unread: true }, 'nothing'],
    [
      'it has failed, and is asked for anew',
      { state: stateOf('failed', -10), wish: up(-5) },
      'start',
    ],
    ['it has stopped', { state: stateOf('stopped', -10), wish: up(-20) }, 'nothing'],
    [
      'it has stopped, and is asked for anew',
      { state: stateOf('stopped', -10), wish: up(-5) },
      'start',
    ],
    [
      'it has stopped, and a message came',
      { state: stateOf('stopped', -10), wish: up(-20), unread: true },
      'start',
    ],
    ['a message came for one for once', { persistent: false, unread: true }, 'start'],
    [
      'a message came for a session of that name',
      { persistent: false, unread: true, taken: true },
      'nothing',
    ],
    ['it was asked for, and a session has the name', { wish: up(-5), taken: true }, 'start'],
    ['a message came for one that nobody wants', { unread: true }, 'nothing'],
    [
      'a message came, and it is to be down',
      { persistent: false, unread: true, wish: down },
      'nothing',
    ],
  ])('%s', (_, change, expected) => {
    expect(decide(seen(change), NOW).do).toBe(expected)
  })

  test('a wait says when it is over', () => {
    const step = decide(seen({ state: crashed(-900), restarts: restarts(-2000) }), NOW)
    expect(step).toEqual({ do: 'nothing', again: 100 })
  })

  test('the last reason is told with the end', () => {
    const state = crashed(-9000)
    const step = decide(seen({ state, restarts: restarts(-9999, -9998, -9997) }), NOW)
    expect(step).toMatchObject({ reason: expect.stringContaining('the last time: it fell') })
  })
})
