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
import { createPanes } from './pane.ts'
import { createSide } from './side.ts'
import { styleFor } from './style.ts'

const PLAIN = styleFor({ NO_COLOR: '1' })

const PEOPLE: Person[] = [
  { name: 'backend', state: 'busy', since: '12m', unread: 0, held: 0, task: '', cwd: '~/api' },
  { name: 'frontend', state: 'asking', since: '', unread: 3, held: 1, task: 'Pages', cwd: '~/web' },
]
const DECISION: Need = {
  ...{ type: 'decision', key: 'x', id: 'x', at: '', from: 'backend', text: '' },
  ...{ title: 'Drop the column?', number: 3, options: ['drop it', 'keep it'] },
}

function framed({ up = 0, ...fields }: Partial<Scene> & { up?: number } = {}, style = PLAIN) {
  const room: Room = { ...emptyRoom(), people: PEOPLE }
  const panes = createPanes(style, () => 0)
  const scene: Scene = {
    ...{ room, columns: 60, rows: 13, input: ['› hello'], says: '', unseen: [] },
    ...{ mode: 'typing', filter: EVERYTHING, side: createSide() },
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
  expect(lines[0]).toBe('@backend busy 12m   @frontend asking 3 unread (1 held)')
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
  [{}, { unseen: ['a', 'b'] }, '2 unread above: /inbox'],
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
  expect(lines.slice(0, 2)).toEqual([
    '! the home is gone',
    `notifications paused (${UNPAUSE} turns them on)   @backend busy 12m`,
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

test('more sessions than there is room for are not passed over in silence', () => {
  const people = Array.from(
    { length: 20 },
    (_, at) => ({ ...PEOPLE[0], name: `session-${at}` }) as Person,
  )
  const { lines } = framed({ columns: 40, rows: 24, room: { ...emptyRoom(), people } })
  expect(lines.slice(0, 3).map((line) => line.includes('@session'))).toEqual([true, true, true])
  expect(lines[2]).toMatch(/… \/who$/)
})

describe('what needs you', () => {
  const shown = (needs: Need[], rows = 24, columns = 100) => {
    const { lines } = framed({ rows, columns, room: { ...emptyRoom(), needs } })
    const first = lines.findIndex((line) => line.startsWith('▶'))
    const last = lines.findIndex((line) => line.startsWith('──'))
    return first < 0 ? [] : lines.slice(first, last)
  }
  const named = (type: 'permission' | 'trust' | 'asks' | 'failed', answer: string): Need => ({
    ...{ type, key: `${type} frontend`, name: 'frontend', at: '', why: 'so' },
    answer,
  })
  const question = { ...DECISION, type: 'question' as const, options: [] }

  test.each<[Need, string]>([
    [DECISION, '#3 @backend: Drop the column?  1 drop it · 2 keep it'],
    [
      { ...question, id: '20261121T033912.123456Z-from-backend', number: undefined } as never,
      '? @backend: Drop the column?  /reply y95yy "…"',
    ],
    [
      named('permission', 'agent-chat attach frontend'),
      '@frontend asks permission: so  /open @frontend',
    ],
    [named('asks', 'agent-chat attach frontend'), '@frontend has a question: so  /open @frontend'],
    [
      named('trust', 'in its own terminal, in /api'),
      '@frontend asks at its start: so  in its own terminal, in /api',
    ],
    [named('failed', 'agent-chat restart frontend'), '@frontend failed: so  /restart frontend'],
    [
      {
        ...{ type: 'held', key: 'held x', chain: '20261121T033912.123456Z-from-human', at: '' },
        ...{ to: ['frontend'], count: 2, why: 'too many' },
      },
      '2 messages are held for @frontend: too many  /release s57cm',
    ],
  ])('%j is above the input, with what answers it', (need, line) => {
    expect(shown([need])).toEqual(['▶ 1 needs you', line])
  })

  test.each([40, 80, 120])('in %i columns its end is cut, and not its options', (columns) => {
    const options = ['drop it', 'keep it for a release']
    const title = 'drop or keep '.repeat(30).trim()
    const said = shown([{ ...DECISION, title, options }], 24, columns).slice(1)
    expect(said[0]).toMatch(/^#3 @backend: drop or/)
    const words = stripVTControlCharacters(said.join(' ')).replaceAll(/\s+/g, ' ')
    expect(words).toContain('… 1 drop it · 2 keep it for a release')
    expect(said).toHaveLength(2)
  })

  test('leaves room for the room, and says how many there are', () => {
    const many = Array.from({ length: 20 }, (_, at) => ({ ...DECISION, number: at + 1 }))
    expect(shown(many)).toHaveLength(6)
    expect(shown(many)[0]).toBe('▶ 20 need you: /who lists all')
    expect(shown(many, 8)).toEqual([])
  })

  test('the decision that the digits answer is shown, whatever comes before it', () => {
    const dialogs = Array.from({ length: 9 }, () => named('permission', ''))
    expect(shown([...dialogs, DECISION], 12)[1]).toMatch(/^#3 @backend/)
  })
})

test('whatever the size, the frame fills it and no line is wider', () => {
  const word = fc.constantFrom('backend', '日本', '👩‍💻👩‍💻', 'x'.repeat(40), 'a b c')
  const scene = fc.record({
    columns: fc.integer({ min: 1, max: 100 }),
    rows: fc.integer({ min: 1, max: 40 }),
    up: fc.integer({ min: 0, max: 50 }),
    title: word,
    count: fc.integer({ min: 0, max: 12 }),
    says: fc.constantFrom('', 'press Ctrl-C again to leave'),
    color: fc.boolean(),
  })
  fc.assert(
    fc.property(scene, ({ columns, rows, up, title, count, says, color }) => {
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
      const frame = framed({ room, columns, rows, up, says, input }, color ? styleFor({}) : PLAIN)
      expect(frame.lines).toHaveLength(rows)
      for (const line of frame.lines) expect(visibleWidth(line)).toBeLessThanOrEqual(columns)
      expect(frame.lines.slice(-2).join('')).toContain(input.at(-1))
    }),
    { numRuns: 300 },
  )
})
