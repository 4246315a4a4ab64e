import { beforeEach, expect, test } from 'vitest'
import type { Need } from '../feed/need.ts'
import type { RoomQuestion } from '../feed/panel.ts'
import { drawBand } from './band.ts'
import type { Drawn, Engine, RenderEvent } from './engine.ts'
import { ago, cellsOf, cut, type View, wrapped } from './view.ts'

type Tree = { element: string; props: Record<string, unknown>; children: unknown[] }

beforeEach(() => {
  const h = (element: string, props: Record<string, unknown>, ...children: unknown[]) => ({
    ...{ element, props, children },
  })
  Object.assign(globalThis, { h })
})

const NOW = Date.parse('2026-11-23T10:00:00.000Z')
const line = { id: 'x', from: 'backend', to: 'frontend', at: '2026-11-23T09:57:00.000Z' }
const unread = { unread: 2, latest: [{ ...line, title: 'API contract' }] }
const question: RoomQuestion = {
  ...{ ...line, title: 'Drop the column now?', number: 3, text: '' },
  options: ['drop it', 'keep it for a release'],
}

const DIALOG: Need = {
  ...{ type: 'permission', key: 'x', name: 'docs', at: line.at, why: 'it asks permission' },
  answer: 'agent-chat attach docs',
}

const CASES: [name: string, view: Partial<View>, columns: number, rows: number, lines: string[]][] =
  [
    ['nothing', {}, 115, 10, ['the client']],
    [
      'what is unread',
      unread,
      115,
      10,
      ['✉ 2 unread · @backend: "API contract" · 3 min · |/room| ctrl+x tab'],
    ],
    [
      'a dialog of another session, with the command that leads there',
      { needs: [DIALOG] },
      115,
      10,
      ['? @docs asks permission: it asks permission · agent-chat attach docs'],
    ],
    [
      'nothing for what is in its own pane',
      { needs: [{ ...DIALOG, name: 'frontend' }] },
      115,
      10,
      ['the client'],
    ],
    [
      'the one count, beside what is unread',
      { ...unread, needs: [DIALOG, { ...DIALOG, name: 'api' }] },
      100,
      10,
      [
        '✉ 2 unread · @backend: "API contract" · 3 min · |/room| ctrl+x tab',
        '? @docs asks permission: it asks permission · agent-chat attach docs · 2 need you: /room',
      ],
    ],
    [
      'a decision, with its buttons beside it',
      { questions: [question] },
      115,
      10,
      ['? @backend asks: Drop the column now? |drop it|keep it for a release| ctrl+x tab'],
    ],
    [
      'both in a narrow terminal: the buttons have their own lines',
      { ...unread, questions: [question] },
      35,
      7,
      [
        '✉ 2 unread · @backend · 3 min · /room',
        '? @backend asks: Drop the column',
        'now?',
        '|drop it|keep it for a release| ctrl+x tab',
      ],
    ],
    [
      'a question that has no room: where all of it is, and no button',
      { ...unread, questions: [question] },
      35,
      4,
      ['✉ 2 unread · @backend · 3 min · /room', '? @backend asks: Drop the …  /room'],
    ],
    [
      'what a decision says besides, before its buttons',
      { questions: [{ ...question, text: 'It has 14 MB.\n\nRecommended: drop it' }] },
      80,
      10,
      [
        '? @backend asks: Drop the column now?',
        'It has 14 MB.',
        ' ',
        'Recommended: drop it',
        '|drop it|keep it for a release| ctrl+x tab',
      ],
    ],
    [
      'no buttons where there is much to read',
      { questions: [{ ...question, text: 'It is big.\n'.repeat(9) }] },
      80,
      10,
      ['? @backend asks: Drop the column now?  /room'],
    ],
    [
      'every option',
      { questions: [{ ...question, options: ['a', 'b', 'c', 'd'] }] },
      80,
      10,
      ['? @backend asks: Drop the column now? |a|b|c|d| ctrl+x tab'],
    ],
    [
      'the decision alone where there is no room for both',
      { ...unread, questions: [question] },
      75,
      1,
      ['? @backend asks: Drop the column now?  /room'],
    ],
    [
      'wide letters, which take two cells',
      {
        questions: [
          { ...question, title: '列を削除しますか'.repeat(6), options: ['はい、今すぐ'] },
        ],
      },
      75,
      10,
      [
        '? @backend asks:',
        '列を削除しますか列を削除しますか列を削除しますか列を削除しますか列を削除し',
        'ますか列を削除しますか',
        '|はい、今すぐ| ctrl+x tab',
      ],
    ],
    [
      'more questions, and one without options',
      { questions: [{ ...question, options: [] }, question] },
      115,
      10,
      ['? @backend asks: Drop the column now?  /room'],
    ],
  ]

test.each(CASES)('the band shows %s', async (_, shown, columns, rows, lines) => {
  const view = {
    name: 'frontend',
    unread: 0,
    latest: [],
    needs: [],
    questions: [],
    at: NOW,
    ...shown,
  }
  const elements = { Box: 'Box', Text: 'Text', Button: 'Button', Input: 'Input' }
  const $ = {
    state: { get: async () => ({ value: view }) },
    ui: { resolve: () => elements },
  } as unknown as Engine
  const e = { props: { bodyColumns: columns, maxRows: rows } } as unknown as RenderEvent
  const drawn = await drawBand($, e, async () => 'the client')
  expect(linesOf(drawn)).toEqual(lines)
  // A row of buttons alone goes on in the next one.
  for (const text of linesOf(drawn).filter((one) => !one.startsWith('|')))
    expect(cellsOf(text)).toBeLessThanOrEqual(columns + 5)
  // No key presses a button by itself: a digit in an empty prompt would.
  expect(JSON.stringify(drawn)).not.toContain('hotkey')
})

test('ages and cuts', () => {
  const past = (minutes: number) => ago(new Date(NOW - minutes * 60_000).toISOString(), NOW)
  expect([0, 3, 90, 5000].map(past)).toEqual(['now', '3 min', '1 h', '3 d'])
  expect(ago('no date', NOW)).toBe('now')
  expect([cut('four', 4), cut('fives', 4), cut('😀😀😀', 4)]).toEqual(['four', 'fiv…', '😀…'])
})

test.each<[text: string, columns: number, lines: string[]]>([
  ['', 5, ['']],
  ['one two', 7, ['one two']],
  ['one two', 6, ['one', 'two']],
  ['one two  ', 7, ['one two']],
  ['    set in', 8, ['    set', 'in']],
  ['abcdefg', 3, ['abc', 'def', 'g']],
  ['ab cdefgh', 4, ['ab', 'cdef', 'gh']],
  ['a\n\nb', 4, ['a', '', 'b']],
  ['a\tb', 4, ['a  b']],
  ['列を削除', 5, ['列を', '削除']],
])('%j in lines of %i cells', (text, columns, lines) => {
  expect(wrapped(text, columns)).toEqual(lines)
})

/** What is drawn, a line for each row of a column. */
function linesOf(drawn: Drawn): string[] {
  const tree = drawn as unknown as Tree
  if (typeof drawn === 'string') return [drawn]
  const column = tree.props?.flexDirection === 'column'
  return column
    ? tree.children.filter(Boolean).flatMap((one) => linesOf(one as Drawn))
    : [textOf(tree)]
}

function textOf(node: unknown): string {
  if (typeof node === 'string') return node
  if (Array.isArray(node)) return node.map(textOf).join('')
  const { element, props, children } = (node ?? {}) as Tree
  if (element === 'Button') return `|${String(props.label)}`
  const inside = (children ?? []).map(textOf)
  return inside.join('').replace(/(\|[^|]*) (ctrl|\/room)/, '$1| $2')
}
