import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatId, idOfFile, parseId, senderOfId } from './id.ts'

const micros = fc.integer({ min: 0, max: 8e15 })

describe('ids', () => {
  test.each([
    ['2026-11-21T03:39:12.123Z', 456, '20261121T033912.123456Z-from-backend'],
    ['2026-11-21T00:00:00.000Z', 0, '20261121T000000.000000Z-from-backend'],
    ['2026-12-31T23:59:59.999Z', 999, '20261231T235959.999999Z-from-backend'],
    ['2027-01-01T00:00:00.000Z', 1, '20270101T000000.000001Z-from-backend'],
    ['2028-02-29T12:00:00.050Z', 7, '20280229T120000.050007Z-from-backend'],
  ])('%s and %i microseconds make %s', (iso, micro, id) => {
    expect(formatId(Date.parse(iso) * 1000 + micro, 'backend')).toBe(id)
  })

  test('an id tells its time and its sender again', () => {
    fc.assert(
      fc.property(micros, fc.stringMatching(/^[a-z][a-z0-9-]{0,31}$/), (at, from) => {
        expect(parseId(formatId(at, from))).toEqual({ micros: at, from })
      }),
    )
  })

  test('the order of ids is the order of time, over midnights and years', () => {
    fc.assert(
      fc.property(micros, micros, (a, b) => {
        fc.pre(a !== b)
        expect(formatId(a, 'x') < formatId(b, 'x')).toBe(a < b)
      }),
    )
  })

  test('a sender whose name holds -from- is told whole', () => {
    expect(senderOfId(formatId(0, 'far-from-home'))).toBe('far-from-home')
  })

  test('the older form tells its sender, and a name that is none tells nobody', () => {
    expect(senderOfId('2026-11-21T03-39-12-from-backend')).toBe('backend')
    expect(senderOfId('20261121T033912.123456Z-from-Evil')).toBeUndefined()
    expect(senderOfId('20261121T033912.123456Z')).toBeUndefined()
    expect(senderOfId('note')).toBeUndefined()
  })

  test.each([
    '.hidden.md',
    '-x.md',
    '../x.md',
    'a/b.md',
    'a b.md',
    'a\nb.md',
    'x.txt',
    '.md',
    'x',
    `${'x'.repeat(201)}.md`,
    // Copies that sync tools leave beside a message.
    '20261121T033912.123456Z-from-backend.sync-conflict-20261125-201500-ABCDEFG.md',
    '20261121T033912.123456Z-from-backend.Conflict.md',
    '20261121T033912.123456Z-from-backend-LAPTOP.md',
    '20261121T033912.123456Z-from-backend_conflict-laptop.md',
    '20261121T033912.123456Z-from-backend (1).md',
    '20261121T033912.123456Z-from-backend 2.md',
    "20261121T033912.123456Z-from-backend (Anna's conflicted copy 2026-11-25).md",
    '20261121T033912.123456Z-from-backend.md.orig.md',
    '20261121T033912.123456Z-from-.md',
  ])('%j is no name of a message file', (file) => expect(idOfFile(file)).toBeUndefined())
})
