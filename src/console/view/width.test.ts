import { visibleWidth } from '@earendil-works/pi-tui'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { styleFor } from './style.ts'
import { widthOf } from './width.ts'

test.each([
  ['', 0],
  ['hello', 5],
  [styleFor({}).tone('error', '▶ #3'), 4],
  ['── to @backend · 3 new ──', 25],
  ['日本', 4],
  ['👩‍💻⚠️🇩🇰', 6],
  ['é', 1],
])('%j', (line, width) => {
  expect(widthOf(line)).toBe(width)
})

test('is what the library counts, whatever the text', () => {
  const char = fc.oneof(
    fc.integer({ min: 0x20, max: 0x3000 }).map((code) => String.fromCodePoint(code)),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    fc.constantFrom('\u001b[31m', '\u001b[39m', '→', '─', '·', '…'),
  )
  const line = fc.array(char, { maxLength: 12 }).map((chars) => chars.join(''))
  fc.assert(
    fc.property(line, (text) => {
      expect(widthOf(text)).toBe(visibleWidth(text))
    }),
    { numRuns: 3000 },
  )
})

test('every simple sign is as wide as the library says', () => {
  const wrong = Array.from({ length: 0x2800 }, (_, code) => String.fromCodePoint(code))
    .filter((char) => char >= ' ' && widthOf(char) !== visibleWidth(char))
    .map((char) => char.codePointAt(0)?.toString(16))
  expect(wrong).toEqual([])
})
