import { describe, expect, test } from 'vitest'
import { shortId } from '../../message/shortId.ts'
import { plural } from '../../message/text.ts'
import { visible, visibleLine } from '../../message/visible.ts'
import { localTime } from '../../system/zone.ts'
import { someMessage } from '../../testing/message.ts'
import { renderMessage } from './message.ts'
import { table } from './table.ts'
import { ago } from './time.ts'

const NOW = Date.parse('2026-11-21T03:39:12.000Z')
const at = (seconds: number) => new Date(NOW - seconds * 1000).toISOString()

describe('time', () => {
  test.each([
    [-3600, 'just now'],
    [0, 'just now'],
    [4, 'just now'],
    [5, '5 seconds ago'],
    [59, '59 seconds ago'],
    [60, '1 minute ago'],
    [179, '2 minutes ago'],
    [3600, '1 hour ago'],
    [86_399, '23 hours ago'],
    [86_400, '1 day ago'],
    [86_400 * 40, '40 days ago'],
  ])('%i seconds back is %s', (seconds, text) => expect(ago(at(seconds), NOW)).toBe(text))

  test('a time that is none is said to be unknown, or shown as it is', () => {
    expect(ago('soon', NOW)).toBe('at an unknown time')
    expect(localTime('soon')).toBe('soon')
    expect(localTime('2026-11-21T03:39:12.000Z')).toMatch(/^2026-11-2[01] \d\d:\d\d$/)
  })
})

describe('text', () => {
  test('every control character of ASCII and its upper half is made visible, tab and newline are kept', () => {
    for (let code = 0; code < 0xa0; code += 1) {
      const char = String.fromCharCode(code)
      const shown = visible(`${char}.`).slice(0, -1)
      if (char === '\t' || char === '\n' || (code >= 0x20 && code < 0x7f)) expect(shown).toBe(char)
      else expect(shown).toMatch(/^(\^[@-_?]|<U\+[0-9A-F]{4}>)$/)
    }
    expect(visibleLine('a\n\n\tb\rc')).toBe('a b^Mc')
  })

  test('letters of any script are kept', () => {
    for (const text of ['né', '日本語', 'שלום', 'العربية', '🙂', '👩‍👩‍👧'])
      expect(visible(text)).toBe(text)
  })

  test('one of a thing has no s', () => {
    expect([0, 1, 2].map((count) => plural(count, 'message'))).toEqual([
      '0 messages',
      '1 message',
      '2 messages',
    ])
  })

  test('a table has even columns, and no cell breaks out of its line', () => {
    const rows = [
      ['@a', '10'],
      ['@long\n\u001b[2J', '1'],
    ]
    expect(table(['name', 'n'], rows)).toBe('name         n\n@a           10\n@long ^[[2J  1\n')
  })
})

describe('a message', () => {
  const lines = (body: string) => renderMessage(someMessage({ body }), NOW).split('\n')

  test('has its header on one line, and its answer on the next', () => {
    const answered = someMessage({
      subject: 'a\tb',
      inReplyTo: '20261121T000000.000000Z-from-docs',
      timestamp: at(120),
    })
    expect(renderMessage(answered, NOW)).toBe(
      [
        '',
        `── ${shortId(answered.id)} ──`,
        'from @backend · handover · 2 minutes ago · "a b"',
        `in reply to ${shortId('20261121T000000.000000Z-from-docs')}`,
        '',
        'hello',
        `── end ${shortId(answered.id)} ──`,
        '',
      ].join('\n'),
    )
  })

  test('a drawing, a table and a rule of ASCII are left as they are', () => {
    const drawing = [
      '┌──┐',
      '│──│',
      '└──┘',
      '---',
      '- - -',
      '| a |',
      '-- x',
      '—',
      '─ one',
      '=====',
      `-- ${'20261121T033912.123456Z-from-backend'}`,
      '├── é',
      '--flag für',
      '⠋ läuft',
    ]
    for (const line of drawing) expect(lines(line)).toContain(line)
  })

  const blank = [
    '\u200b─\u2060─',
    '\u00ad──',
    '\ufe0f──',
    ...[...'\u2800\u3164\u115f\u1160\uffa0\u034f'].map((one) => `${one}── x`),
  ]
  const dashes = [...'━—⎯⏤ㅡー一−﹣－‾⠒⸺〜'].map((one) => `${one}${one} x ${one}${one}`)
  const id = '20261121T033912.123456Z-from-backend'
  const named = [
    `·· end ${id} ··`,
    `·· end ${shortId(id)} ··`,
    `⟶ ${id}`,
    'é ２０２６1121T033912.123456Z-from-backend',
    `– ${id.replace('T', '\u200bT')}`,
  ]
  test.each(['── end x ──', '   ── x', '──', ...blank, ...dashes, ...named])(
    'a line like %j is quoted, so that it cannot pass for one of the frame',
    (line) => expect(lines(`text\n\n${line}\ntext`)).toContain(`> ${visible(line)}`),
  )
})
