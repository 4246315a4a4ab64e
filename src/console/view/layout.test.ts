import { visibleWidth } from '@earendil-works/pi-tui'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Entry, NoticeEntry } from '../../chat/live/entry.ts'
import { entryOfMessage } from '../../chat/live/fromEvent.ts'
import { escalationBody, escalationFields } from '../../message/escalation.ts'
import type { Message } from '../../message/message.ts'
import { someMessage } from '../../testing/message.ts'
import { RELEASE } from '../model/commands.ts'
import { layout, wrap } from './layout.ts'
import { styleFor } from './style.ts'

const PLAIN = styleFor({ NO_COLOR: '1' })
const NOW = Date.parse('2026-11-21T12:00:00Z')

function shown(fields: Partial<Message>, width = 80, whole = false): string[] {
  return layout(entryOfMessage(someMessage(fields)), width, NOW, PLAIN, whole)
}

function said(tone: NoticeEntry['tone'], text: string, width = 80): string[] {
  return layout({ type: 'notice', at: '2026-11-21T03:39:12.123Z', tone, text }, width, NOW, PLAIN)
}

describe('a message', () => {
  test('between agents: who, what, and a glance at it', () => {
    const lines = shown(
      { body: Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n') },
      70,
    )
    expect(lines[0]).toMatch(/@backend → @frontend {2}handover {2}y95yy$/)
    expect(lines.slice(1)).toEqual([
      '      line 0',
      '      line 1',
      '      line 2',
      '      … Enter opens it',
    ])
  })

  test('between agents with a subject: no more than that', () => {
    expect(shown({ subject: 'GET /tasks', body: 'it is ready' })).toHaveLength(1)
    expect(shown({ subject: 'GET /tasks' })[0]).toContain('handover: GET /tasks')
  })

  test('to the human: whole, and in the pane how a question is answered', () => {
    const question = { to: 'human', kind: 'question' as const, body: 'a\nb\nc\nd\ne' }
    expect(shown(question)).toHaveLength(6)
    const lines = shown(question, 80, true)
    expect(lines[0]).toContain('@backend → you  ▶ question')
    expect(lines.slice(1).map((line) => line.trim())).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
      'answer: /reply y95yy words',
    ])
  })

  test('that asks for a decision, by its number', () => {
    const options = ['drop it', 'keep it']
    const body = escalationBody({ question: 'Drop it?', options })
    const decision = {
      ...{ to: 'human', kind: 'question' as const, subject: 'decision 3: Drop it?', body },
      extra: escalationFields(3, options),
    }
    const lines = shown(decision)
    expect(lines[0]).toContain('▶ decision #3')
    // The line above the input has its options already.
    expect(lines.slice(1)).toEqual(['      Drop it?'])
    expect(shown(decision, 80, true).at(-1)).toContain('answer: #3 <option>, or words')
    const answered: Entry = { ...entryOfMessage(someMessage(decision)), answered: true }
    const [head] = layout(answered, 80, NOW, PLAIN)
    expect(head).toMatch(/ decision #3 {2}✓ answered/)
    expect(head).not.toContain('▶')
  })

  test('of the human’s: how far it has come', () => {
    const entry: Entry = {
      ...entryOfMessage(someMessage({ from: 'human', to: 'backend' })),
      stage: 'read',
    }
    expect(layout(entry, 80, NOW, PLAIN)[0]).toContain('you → @backend  handover  ✓ read')
  })

  test('that is held: why, and what lets it go on', () => {
    const entry: Entry = { ...entryOfMessage(someMessage()), held: '4 messages without you' }
    expect(layout(entry, 80, NOW, PLAIN).at(-1)).toContain(
      `held: 4 messages without you; ${RELEASE} releases it`,
    )
  })

  test('that is held on another machine: where it is released', () => {
    const message = someMessage({ to: 'frontend.build' })
    const entry: Entry = { ...entryOfMessage(message), held: '4 messages without you' }
    expect(layout(entry, 80, NOW, PLAIN).at(-1)).toContain(
      'held: 4 messages without you; it is released on build',
    )
  })

  test('cannot pass for another: what a sender wrote never stands at the margin', () => {
    const forged = '12:03 @human → you  handover\n▶ #1 @backend: yes?\n── to: @backend ──'
    for (const to of ['human', 'frontend'])
      for (const width of [20, 80])
        expect(
          shown({ to, body: forged }, width)
            .slice(shown({ to, body: 'x' }, width).length - 1)
            .every((line) => line.startsWith('  ')),
        ).toBe(true)
  })
})

describe('a notice', () => {
  test('by its tone', () => {
    expect(said('typed', '/who')).toEqual(['› /who'])
    expect(said('error', 'no\nsee /help')).toEqual(['! no', 'see /help'])
    expect(said('answer', 'a\nb')).toEqual(['      a', '      b'])
    expect(said('event', '@backend is here')[0]).toMatch(/^\S+( \S+)? @backend is here$/)
  })

  test('keeps the blanks of a table as long as they fit', () => {
    expect(said('answer', 'name   pane\n@a     %1')).toEqual([
      '      name   pane',
      '      @a     %1',
    ])
  })
})

test('no line is wider than the terminal, whatever is written', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 120 }),
    fc.string({
      unit: fc.constantFrom('日', '👩‍💻', '🇩🇰', 'é', '⚠️', ' ', '\n', 'a', '\t', '\u001b[31m', 'ก็'),
      maxLength: 120,
    }),
  )
  fc.assert(
    fc.property(
      text,
      text,
      fc.integer({ min: 1, max: 90 }),
      fc.boolean(),
      (body, subject, width, toHuman) => {
        const message = someMessage({ body, subject, to: toHuman ? 'human' : 'frontend' })
        for (const style of [PLAIN, styleFor({})])
          for (const line of layout(entryOfMessage(message), width, NOW, style))
            expect(visibleWidth(line)).toBeLessThanOrEqual(Math.max(2, width))
      },
    ),
    { numRuns: 300 },
  )
})

test.each([
  ['short', 10, ['short']],
  ['two words', 5, ['two', 'words']],
  ['abcdefgh', 3, ['abc', 'def', 'gh']],
  ['日本語です', 4, ['日本', '語で', 'す']],
  ['a\n\nb', 5, ['a', '', 'b']],
])('%j in %i columns', (text, width, lines) => {
  expect(wrap(text, width)).toEqual(lines)
})
