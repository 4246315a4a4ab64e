import { expect, test } from 'vitest'
import type { Need } from '../../feed/need.ts'
import type { Message } from '../../message/message.ts'
import { answerLine, type InboxRow, inboxRows, optionOf, partsOf, sessionOf } from './inbox.ts'

const ID = '20261121T033912.123456Z-from-backend'
const CHAIN = '20261121T033912.123456Z-from-human'

const decision: Need = {
  ...{ type: 'decision', key: ID, id: ID, at: '', from: 'backend', text: '' },
  ...{ title: 'Drop the column?', number: 3, options: ['drop it', 'keep it'] },
}
const { number: _, ...asked } = { ...decision, type: 'question' as const, options: [] }
const held: Need = {
  ...{ type: 'held', key: 'held x', chain: CHAIN, at: '', to: ['frontend'] },
  ...{ count: 2, why: 'too many' },
}
const named = (type: 'permission' | 'failed', answer: string): Need => ({
  ...{ type, key: `${type} frontend`, name: 'frontend', at: '', why: 'so', answer },
})
const need = (one: Need): InboxRow => ({ key: one.key, need: one })

function message(at: number, from: string, body: string, root = at): Message {
  const id = (minute: number) => `20261121T03${10 + minute}00.000000Z-from-${from}`
  return {
    ...{ id: id(at), from, to: 'human', timestamp: '', kind: 'reply', thread: id(root) },
    ...{ chain: id(at), hops: 0, body, extra: {} },
  }
}

const unread = [message(1, 'backend', 'one'), message(2, 'tester', 'two')]
const words = (rows: InboxRow[]) =>
  rows.map((row) => `${row.faint ? '~' : ''}${partsOf(row, 0)[3]}`)

test('what needs you comes first, then what is unread, the newest first', () => {
  const rows = inboxRows({ needs: [decision, held], unread, away: undefined })
  expect(rows.map(({ key }) => key)).toEqual([
    ID,
    'held x',
    `thread ${unread[1]?.id}`,
    `thread ${unread[0]?.id}`,
  ])
})

test.each([
  ['', ['Drop the column?  1 drop it · 2 keep it', 'so', 'two', 'one']],
  ['drop', ['Drop the column?  1 drop it · 2 keep it', '~so']],
  ['FRONT', ['so', '~Drop the column?  1 drop it · 2 keep it']],
  ['@backend', ['Drop the column?  1 drop it · 2 keep it', 'one', '~so']],
  ['nothing of that', ['~Drop the column?  1 drop it · 2 keep it', '~so']],
])('a filter leaves out threads, and nothing that needs you: %j', (find, shown) => {
  expect(
    words(inboxRows({ needs: [decision, named('permission', '')], unread, away: undefined }, find)),
  ).toEqual(shown)
})

test.each<
  [what: string, row: InboxRow, parts: string[], session: string, answer: string | undefined]
>([
  [
    'a decision',
    need(decision),
    ['▶', '@backend', '#3', 'Drop the column?  1 drop it · 2 keep it'],
    'backend',
    '#3 ',
  ],
  [
    'a question',
    need(asked),
    ['▶', '@backend', '?', 'Drop the column?'],
    'backend',
    '/reply y95yy ',
  ],
  [
    'a dialog',
    need(named('permission', 'agent-chat attach frontend')),
    ['▶', '@frontend', 'asks permission', 'so'],
    'frontend',
    '/open @frontend',
  ],
  [
    'a dialog in a terminal of its own',
    need(named('permission', 'in its own terminal, in /api')),
    ['▶', '@frontend', 'asks permission', 'so'],
    'frontend',
    undefined,
  ],
  [
    'a failure',
    need(named('failed', 'agent-chat restart frontend')),
    ['▶', '@frontend', 'failed', 'so'],
    'frontend',
    '/restart frontend',
  ],
  [
    'a held chain',
    need(held),
    ['▶', '', 'messages are held', '2 messages are held for @frontend: too many'],
    'frontend',
    '/release s57cm',
  ],
])('%s', (_, row, parts, session, answer) => {
  expect([partsOf(row, 0), sessionOf(row), answerLine(row)]).toEqual([parts, session, answer])
})

test('a thread: who wrote in it, how many, and the newest of it', () => {
  const [row] = inboxRows({
    needs: [],
    unread: [...unread, message(3, 'backend', 'three', 1)],
    away: undefined,
  })
  expect(row && [partsOf(row, 0), sessionOf(row)]).toEqual([
    ['•', '@backend', 'reply (2)', 'three'],
    'backend',
  ])
  expect(row && answerLine(row)).toMatch(/^\/reply \w{5} $/)
})

test.each<[row: InboxRow, digit: number, line: string | undefined]>([
  [need(decision), 2, '#3 2'],
  [need(decision), 3, undefined],
  [need(asked), 1, undefined],
  [need(held), 1, undefined],
  [inboxRows({ needs: [], unread, away: undefined })[0] as InboxRow, 1, undefined],
])('a digit chooses an option where the row has one: %#', (row, digit, line) => {
  expect(optionOf(row, digit)?.line).toBe(line)
})
