import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBlank, visible, visibleLine } from './visible.ts'

const NOTHING = /\p{Default_Ignorable_Code_Point}/u
const tags = (text: string) =>
  [...text].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('')

describe('what nobody sees is shown', () => {
  test.each([
    ['tags', `a${tags('hi')}`, 'a<U+E0068><U+E0069>'],
    ['variation selectors from 17 on', 'a\u{e0100}\u{e01ef}', 'a<U+E0100><U+E01EF>'],
    ['other variation selectors', 'a\ufe00\ufe0e\ufe0f', 'a<U+FE00><U+FE0E><U+FE0F>'],
    [
      'zero width',
      'a\u200bb\u200cc\u200dd\u2060\ufeff',
      'a<U+200B>b<U+200C>c<U+200D>d<U+2060><U+FEFF>',
    ],
    ['Hangul fillers', '\u115f\u1160\u3164\uffa0', '<U+115F><U+1160><U+3164><U+FFA0>'],
    ['soft hyphens and grapheme joiners', 'a\u00adb\u034f', 'a<U+00AD>b<U+034F>'],
    ['marks of direction', 'a\u202eb\u2066\u061c', 'a<U+202E>b<U+2066><U+061C>'],
    ['what a terminal obeys', 'a\u001b[2J\u007f\u009b', 'a^[[2J^?<U+009B>'],
    ['a joiner behind no picture', '😀\u200d\u200d😀', '😀<U+200D><U+200D>😀'],
    ['a second joiner in a word', 'می\u200c\u200bخ', 'می\u200c<U+200B>خ'],
    ['a selector on a digit alone', '1\ufe0f2\ufe0e', '1<U+FE0F>2<U+FE0E>'],
    ['tags behind a flag that spell something else', `🏴${tags('rm')}`, '🏴<U+E0072><U+E006D>'],
  ])('%s', (_, text, shown) => {
    expect(visible(text)).toBe(shown)
    expect(visibleLine(text)).toBe(shown)
  })
})

test.each([
  ['plain text', 'naïve 日本語 한국어 עברית العربية हिन्दी €  ½'],
  ['families and professions', '👩‍💻 👨‍👩‍👧‍👦 👩🏽‍⚕️ 🏳️‍🌈 👁️‍🗨️ 🚶‍♀️‍➡️'],
  ['pictures and letters that can be both', '❤️ ☺︎ ©️ 1️⃣ #️⃣'],
  ['flags of countries and of parts of one', '🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
  ['Persian', 'می‌خواهم'],
  ['Arabic letters in a form of their own', 'ه‍ ‬'.replace('\u202c', '')],
  ['Hindi and Malayalam', 'क्‍ष क्‌ष ന്‍'],
  ['Sinhala', 'ශ්‍රී'],
  ['Mongolian', 'ᠠ᠋ᠭ᠋'],
  ['tabs and lines', 'a\tb\n\nc'],
])('%s stays as it is', (_, text) => expect(visible(text)).toBe(text))

test('lines that end as on Windows end like others', () => {
  expect(visible('a\r\nb\r\n')).toBe('a\nb\n')
  expect(visible('a\rb\r\r\n')).toBe('a^Mb^M\n')
  expect(visibleLine('a\r\nb\t\r\n\nc\r')).toBe('a b c')
})

test.each([
  ['', true],
  [' \n\t\u00a0\u3000', true],
  [tags('do this'), true],
  ['\u200b\u200d\ufe0f\u3164 \u{e0100}', true],
  ['\u001b\r\n', true],
  ['.', false],
  ['\u200bא', false],
  ['👍🏽', false],
])('%j is blank: %s', (text, blank) => expect(isBlank(text)).toBe(blank))

const odd = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'ab1#\n\t\r ❤👩💻🏴🏽میक्षᠠ⃣'),
    fc.constantFrom('\u200c', '\u200d', '\ufe0e', '\ufe0f', '\u180b', '\u{e0067}', '\u{e007f}'),
    fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
  ),
})

test('whatever the text: nothing is lost, nothing more is hidden than before, and twice is once', () => {
  fc.assert(
    fc.property(odd, (text) => {
      const shown = visible(text)
      expect(shown).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/)
      expect(visible(shown)).toBe(shown)
      const back = shown
        .replaceAll(/<U\+([0-9A-F]+)>/g, (_, code) =>
          String.fromCodePoint(Number.parseInt(code, 16)),
        )
        .replaceAll(/\^([@-_])/g, (_, char) => String.fromCharCode(char.charCodeAt(0) - 0x40))
        .replaceAll('^?', '\x7f')
      // Texts that hold such signs themselves are told apart by nobody.
      if (!/[<^]/.test(text)) expect(back).toBe(text.replace(/\r(?=\n|$)/g, ''))
    }),
    { numRuns: 2000 },
  )
})

test('whatever is hidden among Latin letters is shown', () => {
  const hidden = fc
    .integer({ min: 0, max: 0x10ffff })
    .map((code) => String.fromCodePoint(code))
    .filter((char) => NOTHING.test(char))
  fc.assert(
    fc.property(fc.array(hidden, { minLength: 1, maxLength: 20 }), (chars) => {
      expect(visible(`a${chars.join('')}b`)).not.toMatch(NOTHING)
      expect(isBlank(chars.join(''))).toBe(true)
    }),
  )
})
