import { appendFileSync, renameSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { statsOf } from '../../chat/stats.ts'
import { formatId } from '../../message/id.ts'
import { runCli } from '../../testing/cli.ts'
import { fixedClock } from '../../testing/clock.ts'
import { tempBus } from '../../testing/home.ts'
import { renderStats } from '../render/stats.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Noon in the time zone of this machine. */
const NOW = new Date(2026, 10, 21, 12).getTime()

let micro = 0

/** A line of the history of a message that was sent so long before now. */
function sentLine(age: number, from: string, to: string, bytes: unknown, more = {}): string {
  micro += 1
  const at = NOW - age
  const id = formatId(at * 1000 + (micro % 1000), from)
  return `${JSON.stringify({ at: new Date(at).toISOString(), event: 'sent', id, from, to, bytes, preview: '"sent"', ...more })}\n`
}

function world(...lines: string[]): Bus {
  const bus = tempBus([], fixedClock(new Date(NOW).toISOString()))
  writeFileSync(bus.home.history, lines.join(''))
  return bus
}

const stats = (bus: Bus, since?: number) =>
  statsOf(bus.home, since === undefined ? undefined : NOW - since, NOW)
const zero = { messages: 0, bytes: 0 }

describe('what is counted', () => {
  test('messages and bytes, by session and by pair, the most first', () => {
    const bus = world(
      sentLine(3 * HOUR, 'backend', 'frontend', 100),
      '{"at":"2026-11-21T00:00:00Z","event":"read","id":"x","by":"sent"}\n{"torn',
      `\n${sentLine(2 * HOUR, 'frontend', 'backend', 10)}`,
      sentLine(2 * HOUR, 'backend', 'frontend', 1),
      sentLine(0, 'backend', 'human', 5),
    )
    expect(stats(bus)).toMatchObject({
      total: { messages: 4, bytes: 116 },
      first: NOW - 3 * HOUR,
      until: NOW,
      sessions: [
        {
          name: 'frontend',
          sent: { messages: 1, bytes: 10 },
          received: { messages: 2, bytes: 101 },
        },
        {
          name: 'backend',
          sent: { messages: 3, bytes: 106 },
          received: { messages: 1, bytes: 10 },
        },
        { name: 'human', sent: zero, received: { messages: 1, bytes: 5 } },
      ],
      pairs: [
        { from: 'backend', to: 'frontend', messages: 2, bytes: 101 },
        { from: 'frontend', to: 'backend', messages: 1, bytes: 10 },
        { from: 'backend', to: 'human', messages: 1, bytes: 5 },
      ],
      unit: 'hour',
      buckets: [
        { start: NOW - 3 * HOUR, messages: 1, bytes: 100 },
        { start: NOW - 2 * HOUR, messages: 2, bytes: 11 },
        { start: NOW - HOUR, ...zero },
        { start: NOW, messages: 1, bytes: 5 },
      ],
    })
  })

  test('days where it is more than two, each from midnight to midnight', () => {
    const bus = world(
      sentLine(3 * DAY, 'a', 'b', 1),
      sentLine(13 * HOUR, 'a', 'b', 1),
      sentLine(11 * HOUR, 'a', 'b', 1),
    )
    const { unit, buckets } = stats(bus)
    const midnight = (day: number) => new Date(2026, 10, day).getTime()
    expect(unit).toBe('day')
    expect(buckets.map(({ start, messages }) => [start, messages])).toEqual([
      [midnight(18), 1],
      [midnight(19), 0],
      [midnight(20), 1],
      [midnight(21), 1],
    ])
  })

  test('since: by the time of the message, also of one that was told of late', () => {
    const late = sentLine(2 * DAY, 'a', 'b', 1000, {
      at: new Date(NOW).toISOString(),
      mended: true,
    })
    const bus = world(sentLine(3 * DAY, 'a', 'b', 100), sentLine(HOUR, 'a', 'b', 1), late)
    expect(stats(bus, DAY).total).toEqual({ messages: 1, bytes: 1 })
    expect(stats(bus).total).toEqual({ messages: 3, bytes: 1101 })
  })

  test('no further back than since, so that its cost does not grow with the rest', () => {
    const bus = world(
      sentLine(0, 'a', 'b', 1),
      sentLine(3 * DAY, 'a', 'b', 1),
      sentLine(HOUR, 'a', 'b', 1),
    )
    // The first line is behind one that is too old: it is not reached.
    expect(stats(bus, DAY).total.messages).toBe(1)
  })

  test('a history that was put aside counts too, and what stands in both counts once', () => {
    const lines = [
      sentLine(9 * DAY, 'a', 'b', 1),
      sentLine(8 * DAY, 'a', 'b', 10),
      sentLine(HOUR, 'a', 'b', 100),
    ]
    const bus = world(...lines)
    const name = `${new Date(NOW - 7 * DAY).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
    renameSync(bus.home.history, `${bus.home.root}/history-${name}.log`)
    writeFileSync(bus.home.history, lines.slice(1).join(''))
    writeFileSync(`${bus.home.root}/history-mine.log`, sentLine(0, 'a', 'b', 1000))
    expect(stats(bus).total).toEqual({ messages: 3, bytes: 111 })
    expect(stats(bus, DAY).total).toEqual({ messages: 1, bytes: 100 })
  })

  test('numbers that are none, ids of another form, times ahead of the clock', () => {
    const bus = world(
      sentLine(0, 'a', 'b', 'many'),
      sentLine(HOUR, 'a', 'b', 1, { id: 'note-from-a' }),
      sentLine(-HOUR, 'a', 'b', 1),
    )
    expect(stats(bus)).toMatchObject({
      total: { messages: 3, bytes: 2 },
      first: NOW - HOUR,
      until: NOW + HOUR,
    })
    expect(stats(tempBus())).toMatchObject({ total: zero, sessions: [], pairs: [] })
  })
})

describe('what is shown', () => {
  const bus = () =>
    world(
      ...Array.from({ length: 300 }, (_, day) =>
        sentLine((300 - day) * DAY, 'backend', 'frontend', 100 * (day % 40)),
      ),
      sentLine(0, 'frontend', 'a-name-of-thirty-two-characters', 4_000_000),
    )

  test.each([20, 33, 40, 80, 200])('fits %d columns', (columns) => {
    const lines = renderStats(stats(bus()), columns).split('\n')
    const long = lines.filter((line) => line.length > columns && !/[a-z]/.test(line))
    expect(long).toEqual([])
    const chart = lines.find((line) => /^[▁▂▃▄▅▆▇█·]+$/.test(line)) ?? ''
    expect(chart.length).toBeGreaterThan(columns / 3)
    if (columns >= 80) expect(lines.filter((line) => line.length > columns)).toEqual([])
  })

  test('a sign an hour, a dot for nothing, a bar for each pair', () => {
    const some = world(
      ...Array.from({ length: 8 }, () => sentLine(3 * HOUR, 'backend', 'frontend', 400)),
      sentLine(HOUR, 'frontend', 'backend', 400),
      sentLine(0, 'frontend', 'backend', 1200),
    )
    const [from, until] = [new Date(2026, 10, 21, 9), new Date(2026, 10, 21, 12)].map((date) =>
      date.getHours(),
    )
    expect(renderStats(stats(some), 60)).toBe(
      [
        '10 messages, 4800 bytes, ~1,200 tokens (bytes / 4)',
        '',
        `messages per hour, 2026-11-21 0${from}:00 to 2026-11-21 ${until}:00, at most 8:`,
        '█·▁▁',
        '',
        'session    sent  tokens  received  tokens',
        '@frontend     2    ~400         8    ~800',
        '@backend      8    ~800         2    ~400',
        '',
        'from → to             sent  tokens',
        '@backend → @frontend     8    ~800  ████████████████████████',
        '@frontend → @backend     2    ~400  ████████████',
        '',
      ].join('\n'),
    )
  })

  test('nothing was sent', () => {
    expect(renderStats(stats(world()), 80)).toBe('no messages\n')
  })
})

describe('the command', () => {
  test('--json has all of it, with tokens', async () => {
    const { home } = world(sentLine(-DAY, 'a', 'b', 10))
    const { stdout, code } = await runCli(['stats', '--json', '--since', '7d'], { home: home.root })
    expect(code).toBe(0)
    const tally = { messages: 1, bytes: 10, tokens: 3 }
    expect(JSON.parse(stdout)).toMatchObject({
      ...tally,
      from: new Date(NOW + DAY).toISOString(),
      sessions: [
        { name: 'b', received: tally },
        { name: 'a', sent: tally },
      ],
      pairs: [{ from: 'a', to: 'b', ...tally }],
      unit: expect.stringMatching(/hour|day/),
      over_time: expect.arrayContaining([expect.objectContaining(tally)]),
    })
  })

  test('a name in the history is no way to the terminal', async () => {
    const { home } = world()
    appendFileSync(home.history, sentLine(0, '\u001b[2J', 'b', 1))
    expect((await runCli(['stats'], { home: home.root })).stdout).toContain('@^[[2J')
  })

  test.each([[['--since', '7']], [['x']]])('%j is bad usage', async (args) => {
    expect(await runCli(['stats', ...args], { home: tempBus().home.root })).toMatchObject({
      code: 2,
      stdout: '',
    })
  })
})
