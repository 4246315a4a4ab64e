import { stripVTControlCharacters } from 'node:util'
import { visibleWidth } from '@earendil-works/pi-tui'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Person } from '../../chat/live/entry.ts'
import type { Need } from '../../feed/need.ts'
import { UNPAUSE } from '../model/commands.ts'
import { EVERYTHING } from '../model/filter.ts'
import { arrive, emptyRoom, note, type Room } from '../model/room.ts'
import { frameOf, type Scene } from './frame.ts'
import { createInbox } from './inbox.ts'
import { createPanes } from './pane.ts'
import { createSide } from './side.ts'
import { styleFor } from './style.ts'

const PLAIN = styleFor({ NO_COLOR: '1' })
const NOW = Date.parse('2026-11-21T03:30:00.000Z')

const PEOPLE: Person[] = [
  {
    ...{ name: 'backend', state: 'busy', since: '12m', unread: 0, held: 0 },
    ...{ doing: 'edits: src/tasks.ts 2m', cwd: '~/api' },
  },
  { name: 'frontend', state: 'asking', since: '', unread: 3, held: 1, doing: '', cwd: '~/web' },
]
const DECISION: Need = {
  ...{ type: 'decision', key: 'x', id: 'x', at: '', from: 'backend', text: '' },
  ...{ title: 'Drop the column?', number: 3, options: ['drop it', 'keep it'] },
}

function framed({ up = 0, ...fields }: Partial<Scene> & { up?: number } = {}, style = PLAIN) {
  const room: Room = { ...emptyRoom(), people: PEOPLE }
  const panes = createPanes(style, () => 0)
  const inbox = createInbox(style, () => NOW)
  const scene: Scene = {
    ...{ room, columns: 60, rows: 13, input: ['› hello'], says: '', unseen: [] },
    ...{ mode: 'typing', filter: EVERYTHING, side: createSide(), row: inbox.row },
    inbox: (width, height) => inbox.draw(fields.room ?? room, { width, height }),
    list: (width, height) =>
      panes.pane(fields.room ?? room, { width, height, shows: () => true }, up),
    ...fields,
  }
  return frameOf(scene, style)
}

function message(id: string) {
  return {
    type: 'message' as const,
    id,
    at: '',
    from: 'a',
    to: 'b',
    kind: 'note',
    text: 'x',
    more: 0,
  }
}

test('who is here stands at the top, to whom one writes above the input', () => {
  const { lines } = framed()
  expect(lines.slice(0, 2).map(stripVTControlCharacters)).toEqual([
    `● @backend   busy 12m${' '.repeat(21)}edits: src/task…`,
    '▶ @frontend  asking    3 unread (1 held)',
  ])
  expect(lines.slice(-3)).toEqual([
    expect.stringMatching(/^── to: nobody yet \(type @name\) ─+$/),
    '› hello',
    'Enter send · Tab complete · ^U clear · Shift-Enter new line',
  ])
})

test.each<[Partial<Room>, Partial<Scene>, string]>([
  [{ addressee: 'backend' }, {}, '── to: @backend ──'],
  [{ people: PEOPLE.slice(0, 1) }, {}, '── to: @backend ──'],
  [{ fresh: 4 }, {}, '4 new'],
  [{ needs: [DECISION] }, {}, '▶ 1 needs you'],
  [{}, { unseen: ['a', 'b'] }, '2 unread: /inbox'],
  [{}, { says: 'press again' }, 'press again'],
])('%j %j', (fields, scene, text) => {
  const { lines } = framed({ room: { ...emptyRoom(), people: PEOPLE, ...fields }, ...scene })
  expect(lines.at(-3)).toContain(text)
})

test('what stands in the frame is not unread above', () => {
  const room = arrive(emptyRoom(), message('m1'))
  const frame = framed({ room, unseen: ['m1'] })
  expect([frame.ids, frame.lines.at(-3)]).toEqual([['m1'], expect.not.stringContaining('unread')])
})

test('trouble and pause are told at the top', () => {
  const { lines } = framed({
    rows: 24,
    columns: 80,
    room: { ...emptyRoom(), people: PEOPLE, paused: true, trouble: 'the home is gone' },
  })
  expect(lines.slice(0, 3)).toEqual([
    '! the home is gone',
    `notifications paused (${UNPAUSE} turns them on)`,
    expect.stringMatching(/^● @backend +busy 12m/),
  ])
})

test.each([
  [{ looking: false }, true],
  [{ looking: true }, false],
])('an empty room says that there are no sessions once one has looked: %j', (fields, says) => {
  const { lines } = framed({ room: { ...emptyRoom(), ...fields } })
  expect(lines.some((line) => line.startsWith('no sessions yet'))).toBe(says)
  expect(lines.some((line) => line.includes('To start: '))).toBe(says)
})

describe('who is here, in little room', () => {
  const people = (count: number, name = 'session') =>
    Array.from({ length: count }, (_, at) => ({ ...PEOPLE[0], name: `${name}-${at}` }) as Person)
  const top = (columns: number, rows: number, shown: Person[], needs: Need[] = []) => {
    const room = { ...emptyRoom(), people: shown, needs }
    return framed({ columns, rows, mode: 'inbox', room }).lines
  }

  test('names with their marks, where their states have no room', () => {
    const lines = top(40, 15, people(5, 'a-session-of-a-long-name'), [
      { ...DECISION, from: 'a-session-of-a-long-name-3' },
    ])
    expect(lines.slice(0, 5)).toEqual([
      '● @a-session-of-a-long-name-0',
      '● @a-session-of-a-long-name-1',
      '● @a-session-of-a-long-name-2',
      '▶ @a-session-of-a-long-name-3',
      '● @a-session-of-a-long-name-4',
    ])
  })

  test('more than there is room for are not passed over in silence', () => {
    const lines = top(40, 24, people(30))
    expect(lines.slice(0, 8).map((line) => line.includes('@session'))).toEqual(Array(8).fill(true))
    expect(lines[7]).toMatch(/… \/who$/)
  })
})

describe.each([
  [120, 36],
  [80, 24],
  [40, 15],
])('a full day in %i × %i', (columns, rows) => {
  const NAMES = ['backend', 'frontend', 'infra', 'tester', 'writer']
  const states = ['busy', 'idle', 'busy', 'asking', 'gone']
  const people = NAMES.map((name, at) => ({
    ...{ name, state: states[at] ?? '', since: '12m', unread: at, held: 0, cwd: `~/src/${name}` },
    doing: at % 2 === 0 ? `edits: src/${name}/a-file-of-a-long-name.ts 2m` : '',
  }))
  const idOf = (at: number, from: string) =>
    `20261121T0${Math.floor(at / 3600)}${new Date(at * 1000).toISOString().slice(14, 19).replace(':', '')}.000000Z-from-${from}`
  const needs: Need[] = Array.from({ length: 20 }, (_, at) => {
    const [name, since] = [NAMES[at % 5] ?? '', '2026-11-21T03:20:00.000Z']
    if (at % 4 === 0)
      return { ...DECISION, key: `d${at}`, id: `d${at}`, from: name, number: at + 1, at: since }
    return {
      ...{ type: 'permission', key: `p${at}`, name, at: since },
      ...{
        why: `it wants to edit: src/${name}/file-${at}.ts`,
        answer: `agent-chat attach ${name}`,
      },
    }
  })
  const unread = Array.from({ length: 250 }, (_, at) => {
    const id = idOf(at, NAMES[at % 5] ?? '')
    return {
      ...{ id, from: NAMES[at % 5] ?? '', to: 'human', timestamp: '2026-11-21T03:10:00.000Z' },
      ...{ kind: 'note', thread: idOf(at % 30, NAMES[at % 5] ?? ''), chain: id, hops: 0 },
      ...{ body: `message ${at} says something that fills a line of the inbox`, extra: {} },
    }
  })
  const shown = (mode: Scene['mode'], more: Partial<Room> = {}) => {
    let room: Room = { ...emptyRoom(), people, needs, unread, ...more }
    for (let at = 0; at < 250; at += 1) room = note(room, { ...message(`m${at}`), text: `m ${at}` })
    return framed({ room, columns, rows, mode, input: ['› '] }).lines
  }

  test('every session has its name and its mark', () => {
    const top = shown('inbox').slice(0, 5).join('\n')
    for (const name of NAMES) expect(top).toMatch(new RegExp(`[○●▶×?] @${name}\\b`))
  })

  test('how many need you, the first of them, and the keys', () => {
    const lines = shown('inbox')
    expect(lines.join('\n')).toMatch(/── ▶ 20 need you · 250 unread/)
    expect(lines.find((line) => line.startsWith('▌'))).toMatch(/^▌▶ @backend #1 {2}Drop the/)
    expect(lines.at(-1)).toMatch(/^1-2 answer · Enter open · r in words/)
    const rowsShown = lines.filter((line) => /^[ ▌]▶ @/.test(line)).length
    expect(rowsShown).toBe(Math.min(20, rows - lines.findIndex((line) => line.startsWith('▌')) - 1))
  })

  test('what each does is there where a line has room for it', () => {
    const lines = shown('inbox')
    if (columns >= 80) expect(lines[0]).toMatch(/^▶ @backend +busy 12m +edits: src\/backend/)
    else expect(lines[0]).toMatch(/^▶ @backend {3}▶ @frontend/)
  })

  test('with few rows, the last messages are below them', () => {
    const lines = shown('inbox', { needs: needs.slice(0, 1), unread: [] })
    expect(lines.join('\n')).toMatch(/── messages ─+\n/)
    expect(lines.at(-2)).toContain('m 249')
  })

  test('while one writes, the messages are there, and how many need you', () => {
    const lines = shown('empty')
    expect(lines.at(-2)).toBe('› ')
    expect(lines.join('\n')).toMatch(/── to: nobody[^\n]*▶ 20 need you|▶ 20 need you/)
    expect(lines.at(-4)).toContain('m 249')
  })
})

test('whatever the size, the frame fills it and no line is wider', () => {
  const word = fc.constantFrom('backend', '日本', '👩‍💻👩‍💻', 'x'.repeat(40), 'a b c')
  const scene = fc.record({
    columns: fc.integer({ min: 1, max: 100 }),
    rows: fc.integer({ min: 1, max: 40 }),
    mode: fc.constantFrom('typing' as const, 'inbox' as const, 'confirm' as const),
    up: fc.integer({ min: 0, max: 50 }),
    title: word,
    count: fc.integer({ min: 0, max: 12 }),
    says: fc.constantFrom('', 'press Ctrl-C again to leave'),
    color: fc.boolean(),
  })
  fc.assert(
    fc.property(scene, ({ columns, rows, up, title, count, says, color, mode }) => {
      let room: Room = { ...emptyRoom(), trouble: title, paused: true }
      room = {
        ...room,
        people: Array.from({ length: count }, () => ({ ...PEOPLE[0], name: title }) as Person),
      }
      room = {
        ...room,
        needs: Array.from({ length: count }, () => ({ ...DECISION, title, options: [title] })),
      }
      for (let at = 0; at < count; at += 1)
        room = note(room, { ...message(`m${at}`), text: title.repeat(3) })
      const input = ['› hello', '  more'].map((line) => line.slice(0, columns))
      const style = color ? styleFor({}) : PLAIN
      const frame = framed({ room, columns, rows, up, says, input, mode }, style)
      expect(frame.lines).toHaveLength(rows)
      for (const line of frame.lines) expect(visibleWidth(line)).toBeLessThanOrEqual(columns)
      if (mode === 'typing') expect(frame.lines.slice(-2).join('')).toContain(input.at(-1))
    }),
    { numRuns: 300 },
  )
})
