import { describe, expect, test } from 'vitest'
import { cronTrouble, nextTime } from './calendar.ts'
import { dueRuns, type Timed } from './due.ts'

const ZONE = 'Europe/Copenhagen'
const ms = (iso: string) => Date.parse(iso)
const iso = (time: number | undefined) =>
  time === undefined ? undefined : new Date(time).toISOString().replace('.000Z', 'Z')

/** A schedule by the clock of Copenhagen, set up long ago. */
const at = (cron: string, since = '2026-01-01T00:00:00Z'): Timed => ({
  id: 'one',
  cron,
  since: ms(since),
})
const due = (one: Timed, now: string, last?: string) =>
  dueRuns([one], ms(now), last === undefined ? {} : { one: ms(last) }, ZONE)

/** The times at which a clock that looks every minute runs a schedule. */
function runsBetween(cron: string, from: string, to: string): string[] {
  const runs: string[] = []
  let last: number | undefined
  for (let now = ms(from); now <= ms(to); now += 60_000) {
    const lastRuns = last === undefined ? {} : { one: last }
    for (const run of dueRuns([at(cron, from)], now, lastRuns, ZONE).due) {
      last = run.at
      runs.push(iso(run.at) ?? '')
    }
  }
  return runs
}

describe('what is due', () => {
  test('is what the calendar has named since the last run', () => {
    const one = at('0 7 * * 1-5')
    expect(due(one, '2026-11-23T05:59:59Z', '2026-11-20T06:00:00Z')).toEqual({
      due: [],
      missed: [],
      nextDue: ms('2026-11-23T06:00:00Z'),
    })
    expect(due(one, '2026-11-23T06:00:00Z')).toEqual({
      due: [{ id: 'one', at: ms('2026-11-23T06:00:00Z') }],
      missed: [],
      nextDue: ms('2026-11-24T06:00:00Z'),
    })
    expect(due(one, '2026-11-23T06:00:30Z', '2026-11-23T06:00:00Z').due).toEqual([])
  })

  test('is not what came before it was set up', () => {
    expect(due(at('0 7 * * *', '2026-11-23T06:00:01Z'), '2026-11-23T06:05:00Z').due).toEqual([])
  })

  test.each<[string, string, string, string | undefined, 'due' | 'missed' | 'nothing']>([
    ['0 3 * * *', '2026-11-23T02:02:00Z', '2026-11-22T02:00:00Z', '2026-11-23T02:00:00Z', 'due'],
    ['0 3 * * *', '2026-11-23T08:12:00Z', '2026-11-22T02:00:00Z', '2026-11-23T02:00:00Z', 'due'],
    ['0 3 * * *', '2026-11-23T13:59:00Z', '2026-11-22T02:00:00Z', '2026-11-23T02:00:00Z', 'due'],
    ['0 3 * * *', '2026-11-23T14:01:00Z', '2026-11-22T02:00:00Z', '2026-11-23T02:00:00Z', 'missed'],
    ['0 3 * * *', '2026-11-23T08:12:00Z', '2026-11-03T02:00:00Z', '2026-11-23T02:00:00Z', 'due'],
    ['0 3 * * *', '2026-11-23T08:12:00Z', '2026-11-23T02:00:00Z', undefined, 'nothing'],
    ['0 7 * * 1', '2026-11-25T06:00:00Z', '2026-11-16T06:00:00Z', '2026-11-23T06:00:00Z', 'due'],
    ['0 7 * * 1', '2026-11-27T06:00:00Z', '2026-11-16T06:00:00Z', '2026-11-23T06:00:00Z', 'missed'],
    ['0 7 1 1 *', '2026-06-01T06:00:00Z', '2025-12-31T06:00:00Z', '2026-01-01T06:00:00Z', 'due'],
    ['0 * * * *', '2026-11-23T06:29:00Z', '2026-11-20T06:00:00Z', '2026-11-23T06:00:00Z', 'due'],
    ['0 * * * *', '2026-11-23T06:59:00Z', '2026-11-20T06:00:00Z', '2026-11-23T06:00:00Z', 'due'],
    [
      '0 */2 * * *',
      '2026-11-23T08:01:00Z',
      '2026-11-20T07:00:00Z',
      '2026-11-23T07:00:00Z',
      'missed',
    ],
    ['*/15 * * * *', '2026-11-23T06:05:00Z', '2026-11-20T06:00:00Z', '2026-11-23T06:00:00Z', 'due'],
    ['* * * * *', '2026-11-23T06:05:59Z', '2026-11-23T06:04:00Z', '2026-11-23T06:05:00Z', 'due'],
  ])('%s at %s, after %s: %s is %s', (cron, now, last, time, is) => {
    const found = due(at(cron, last), now, last)
    const times = (runs: { at: number }[]) => runs.map((run) => iso(run.at))
    expect({ due: times(found.due), missed: times(found.missed) }).toEqual({
      due: is === 'due' ? [time] : [],
      missed: is === 'missed' ? [time] : [],
    })
  })

  test('comes once where the clock is set back a little, and again after it was far ahead', () => {
    const one = at('0 * * * *')
    expect(due(one, '2026-11-23T05:59:58Z', '2026-11-23T06:00:00Z').due).toEqual([])
    expect(due(one, '2026-11-23T06:00:00Z', '2026-11-23T06:00:00Z').due).toEqual([])
    expect(due(one, '2026-11-23T06:00:00Z', '2031-01-01T00:00:00Z').due).toHaveLength(1)
  })

  test('next is the nearest of all, and nothing where there is no schedule', () => {
    const many = [at('0 7 * * *'), { ...at('30 6 * * *'), id: 'two' }]
    expect(dueRuns(many, ms('2026-11-23T01:00:00Z'), {}, ZONE).nextDue).toBe(
      ms('2026-11-23T05:30:00Z'),
    )
    expect(dueRuns([], 0, {}, ZONE)).toEqual({ due: [], missed: [] })
  })
})

describe('the night when the clocks go forward, 2027-03-28: 02:00 is 03:00', () => {
  const night = (cron: string) => runsBetween(cron, '2027-03-27T22:30:00Z', '2027-03-28T02:30:00Z')

  test('a time that is left out comes once, when they have gone', () => {
    expect(night('30 2 * * *')).toEqual(['2027-03-28T01:00:00Z'])
  })

  test('every half hour is every half hour', () => {
    expect(night('*/30 * * * *')).toHaveLength(8)
    expect(new Set(night('*/30 * * * *')).size).toBe(8)
  })

  test('the morning after, 7 is 7', () => {
    expect(runsBetween('0 7 * * *', '2027-03-27T05:00:00Z', '2027-03-29T06:00:00Z')).toEqual([
      '2027-03-27T06:00:00Z',
      '2027-03-28T05:00:00Z',
      '2027-03-29T05:00:00Z',
    ])
  })
})

describe('the night when the clocks go back, 2027-10-31: 03:00 is 02:00', () => {
  const night = (cron: string) => runsBetween(cron, '2027-10-30T22:30:00Z', '2027-10-31T02:30:00Z')

  test('a time that is there twice comes once', () => {
    expect(night('30 2 * * *')).toEqual(['2027-10-31T00:30:00Z'])
  })

  test('every half hour is every half hour, in both of the hours', () => {
    expect(night('*/30 * * * *')).toHaveLength(8)
    expect(new Set(night('*/30 * * * *')).size).toBe(8)
  })
})

describe('what is a schedule', () => {
  test.each([
    ['61 * * * *', /minute: 61/],
    ['* * *', /^it has 3 fields, not 5$/],
    ['foo', /^it has 1 field, not 5$/],
    ['', /^it has 0 fields, not 5$/],
    ['* * * * * *', /^it has 6 fields, not 5$/],
    ['0 0 31 2 *', /^it never comes$/],
    ['@reboot', /not supported/],
    ['*/0 * * * *', /stepping/],
  ])('%j is none, and it says why', (text, why) => expect(cronTrouble(text)).toMatch(why))

  test.each(['*/15 * * * *', ' 0 7 * * MON-FRI ', '@daily', '0 0 29 2 *'])('%j is one', (text) =>
    expect(cronTrouble(text)).toBeUndefined(),
  )

  test('its times are of this machine where no zone is named', () => {
    const next = new Date(nextTime('30 7 * * *', 0) ?? 0)
    expect([next.getHours(), next.getMinutes()]).toEqual([7, 30])
  })
})
