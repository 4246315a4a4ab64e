import { describe, expect, test } from 'vitest'
import { noteOf } from './note.ts'
import { dueIn } from './pace.ts'
import type { Snapshot } from './snapshot.ts'

const text = (value: string): Snapshot => ({
  what: 'text',
  text: value,
  bytes: Buffer.byteLength(value),
  sha256: value,
})
const numbers = (count: number) =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('')

describe('a note', () => {
  test('has the lines that changed, and two around them', () => {
    const after = numbers(100).replace('line 50\n', 'line fifty\nand a half\n')
    expect(noteOf('/api/contract.md', text(numbers(100)), text(after))).toEqual({
      subject: 'contract.md has changed',
      body: [
        'The watched file /api/contract.md has changed: 2 lines added, 1 removed.',
        '',
        '```diff',
        '@@ -48,5 +48,6 @@',
        ' line 48',
        ' line 49',
        '-line 50',
        '+line fifty',
        '+and a half',
        ' line 51',
        ' line 52',
        '```',
      ].join('\n'),
    })
  })

  test('is cut to 40 lines, 4 KB, and 200 characters a line', () => {
    const many = noteOf('/a', text(''), text(numbers(1000)))?.body ?? ''
    expect(many).toContain(': 1000 lines added, 0 removed.')
    expect(many).toMatch(/\n… 961 more lines of the diff$/)
    expect(many.split('\n').filter((line) => line.startsWith('+'))).toHaveLength(39)
    const wide = noteOf('/a', text(''), text(`${'é'.repeat(3000)}\n`.repeat(100)))?.body ?? ''
    expect(Buffer.byteLength(wide)).toBeLessThan(4500)
    expect(wide).toContain(`\n+${'é'.repeat(199)}…\n`)
  })

  test('cannot be left by what the file holds', () => {
    const body = noteOf('/a', text('```\n'), text('```\n````\n'))?.body ?? ''
    expect(body).toContain('\n`````diff\n')
    expect(body.endsWith('\n`````')).toBe(true)
  })

  test('of texts with nothing in common comes in time', () => {
    const random = (seed: number) =>
      Array.from({ length: 60_000 }, (_, at) => `${(at * seed) % 60_013}\n`).join('')
    const note = noteOf('/a', text(random(7)), text(random(11)))
    expect(note?.body).toMatch(/^The watched file \/a has changed/)
  })

  const binary: Snapshot = { what: 'binary', bytes: 1234, sha256: 'b' }
  const huge: Snapshot = { what: 'huge', bytes: 9_000_000, sha256: 'h' }
  test.each<[string, Snapshot, Snapshot, string | undefined]>([
    ['the same', text('a'), text('a'), undefined],
    ['deleted', text('a'), { what: 'missing' }, 'was deleted.'],
    ['still gone', { what: 'missing' }, { what: 'missing' }, undefined],
    [
      'back as it was',
      { what: 'missing', before: { ...(text('a') as object) } as never },
      text('a'),
      'is back, as it was.',
    ],
    [
      'back and changed',
      { what: 'missing', before: { ...(text('a\n') as object) } as never },
      text('b\n'),
      'is back: 1 line added, 1 removed.\n',
    ],
    ['binary', text('a'), binary, 'has changed (binary: 1,234 bytes, 1 before; no diff).'],
    ['huge', text('a'), huge, 'has changed (huge: 9,000,000 bytes, 1 before; no diff).'],
    ['text again', binary, text('a'), 'has changed (text now, 1 bytes).'],
    ['unreadable', text('a'), { what: 'unreadable', why: 'EACCES' }, 'cannot be read now: EACCES.'],
    [
      'unreadable still',
      { what: 'unreadable', why: 'EACCES' },
      { what: 'unreadable', why: 'EACCES' },
      undefined,
    ],
    ['readable again', { what: 'unreadable', why: 'EACCES' }, text('a'), 'can be read again.'],
  ])('of a file that is %s', (_, before, after, says) => {
    const note = noteOf('/a', before, after)
    if (says === undefined) expect(note).toBeUndefined()
    else expect(note?.body.startsWith(`The watched file /a ${says}`)).toBe(true)
  })

  test('has a name that would do more than name on one line', () => {
    const note = noteOf('/x/\u001b[2Jevil\nname', text('a'), { what: 'missing' })
    expect(note).toEqual({
      subject: '^[[2Jevil name was deleted',
      body: 'The watched file /x/^[[2Jevil name was deleted.',
    })
  })
})

describe('a change is told', () => {
  const pace = { quietMs: 2000, longestMs: 30_000, apartMs: 60_000 }
  test.each([
    ['when the file is quiet', { first: 0, last: 1000 }, undefined, 1000, 2000],
    ['at once when it has been', { first: 0, last: 1000 }, undefined, 5000, 0],
    ['though the file is never quiet', { first: 0, last: 29_500 }, undefined, 29_500, 500],
    ['a minute after the note before it', { first: 5000, last: 5000 }, 1000, 7000, 54_000],
    ['when quiet, though that is later', { first: 60_500, last: 60_500 }, 1000, 60_500, 2000],
  ])('%s', (_, seen, noted, now, due) => expect(dueIn(seen, noted, now, pace)).toBe(due))
})
