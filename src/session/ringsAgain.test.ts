import { describe, expect, test } from 'vitest'
import { ringsAgainAt } from './ringsAgain.ts'

const AT = '2026-11-28T13:00:05.000Z'
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
const waitOf = (error: string, times = 1, at = AT) =>
  ringsAgainAt({ error, at, times }) - Date.parse(at)

describe('a ring after a failed turn', () => {
  test.each([
    [1, 30 * SECOND],
    [2, 2 * MINUTE],
    [3, 8 * MINUTE],
    [4, 30 * MINUTE],
    [5, 30 * MINUTE],
    [500, 30 * MINUTE],
  ])('the %s. in a row comes after %s ms', (times, ms) => {
    expect(waitOf('529 Overloaded', times)).toBe(ms)
  })

  test.each([
    ["You've hit your session limit · resets 3pm (UTC)", '2026-11-28T15:00:00Z'],
    ["You've hit your session limit · resets 3:45pm (Europe/Berlin)", '2026-11-28T14:45:00Z'],
    ["You've hit your session limit · resets 12am (UTC)", '2026-11-29T00:00:00Z'],
    ["You've hit your session limit · resets 12:30pm (America/New_York)", '2026-11-28T17:30:00Z'],
    ['limit reached, resets at 1am (Asia/Kolkata)', '2026-11-28T19:30:00Z'],
    ["You've hit your weekly limit · resets Nov 30, 3pm (UTC)", '2026-11-30T15:00:00Z'],
    ["You've hit your weekly limit · resets Jan 2, 9:05am (UTC)", '2027-01-02T09:05:00Z'],
    ["You've hit your weekly limit · resets Jan 2, 2027, 9am (UTC)", '2027-01-02T09:00:00Z'],
    ['Claude AI usage limit reached|1795885200', '2026-11-28T17:00:00Z'],
  ])('waits for the end of the limit: %s', (error, end) => {
    for (const times of [1, 4])
      expect(new Date(Date.parse(AT) + waitOf(error, times))).toEqual(new Date(end))
  })

  test('reads a time without a zone as this machine shows it', () => {
    const end = new Date(Date.parse(AT) + 3 * HOUR)
    end.setMinutes(0, 0, 0)
    const shown = end.toLocaleTimeString('en-US', { hour: 'numeric', hour12: true })
    const error = `limit · resets ${shown.replace(/\s([AP]M)/, (_, half) => half.toLowerCase())}`
    expect(Date.parse(AT) + waitOf(error)).toBe(end.getTime())
  })

  test.each([
    ['a time that has just passed', 'limit · resets 1pm (UTC)'],
    ['a date that has passed', 'limit · resets Nov 20, 1pm (UTC)'],
    ['seconds that have passed', 'limit reached|1764342000'],
    ['a zone that nobody knows', 'limit · resets 3pm (Mars/Olympus)'],
    ['a month that nobody knows', 'limit · resets Foo 3, 3pm (UTC)'],
    ['other words', 'your limit resets next month'],
    ['no words', ''],
  ])('is tried as after any other error where that names %s', (_, error) => {
    expect(waitOf(error, 2)).toBe(2 * MINUTE)
  })

  test('waits through a change of the clocks', () => {
    const at = '2026-10-25T00:30:00.000Z'
    expect(waitOf('limit · resets 4am (Europe/Berlin)', 1, at)).toBe(2.5 * HOUR)
  })
})
