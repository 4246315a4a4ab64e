import { describe, expect, test } from 'vitest'
import { isCoded } from '../errors.ts'
import {
  NAME_PATTERN,
  nameBeside,
  nameLike,
  parseName,
  parseRecipient,
  parseSessionName,
} from './name.ts'
import { verbs } from './verbs.ts'

/** The code with which an input is refused, or the name that it gives. */
function answer(parse: (input: string) => string, input: string): string {
  try {
    return parse(input)
  } catch (error) {
    if (isCoded(error)) return error.code
    throw error
  }
}

const HORRORS = [
  '', '@', '@@a', ' ', ' a', 'a ', '.', '..', '../x', './x', '/x', 'a/b', 'a\\b', '-x', '--help', 'A', 'aB', '1a', '_a', 'a_b', 'a.b.c', '.b', 'a.', 'a.B',
  'a'.repeat(33), 'é', 'ａ', 'а', 'a\u0301', '名', '🙂', 'a\n', '\na', 'a\nb', 'a\r', 'a\0', '\0', '%1', '%', '$', '$(x)', '`x`', 'a;b',
  'a|b', 'a&b', 'a>b', 'a*', 'a?', 'a:b', 'a,b', 'a b', '~', '#a', '!a', '"a"', "'a'", '\u202ea', 'a\u200b', '__proto__',
] // biome-ignore format: a list

describe('names', () => {
  test.each(HORRORS)('%j is no name', (input) => {
    expect(answer(parseName, input)).toBe('NAME_INVALID')
    expect(answer(parseSessionName, input)).toBe('NAME_INVALID')
    expect(answer(parseRecipient, input)).toMatch(/^(NAME_INVALID|BROADCAST_REFUSED)$/)
  })

  test('a session on another machine may be written to, and nobody here has such a name', () => {
    expect(answer(parseRecipient, '@frontend.b')).toBe('frontend.b')
    expect(answer(parseName, 'frontend.b')).toBe('NAME_INVALID')
    expect(answer(parseSessionName, 'frontend.b')).toBe('NAME_INVALID')
  })

  test.each(['a', 'z9', 'a-', 'a--b', 'backend', 'null', 'true', 'constructor', 'a'.repeat(32)])(
    '%s is a name',
    (input) => {
      for (const parse of [parseName, parseSessionName, parseRecipient]) {
        expect(answer(parse, input)).toBe(input)
        expect(answer(parse, `@${input}`)).toBe(input)
      }
    },
  )

  test.each([...verbs().map(({ word }) => word), 'human', 'all', 'everyone', 'read'])(
    'no session may be called %s',
    (word) => {
      expect(answer(parseSessionName, word)).toBe('NAME_RESERVED')
      expect(answer(parseSessionName, `@${word}`)).toBe('NAME_RESERVED')
    },
  )

  test('@human can be written to', () => expect(answer(parseRecipient, '@human')).toBe('human'))

  test.each(['all', '@all', '@everyone', '@a,@b', 'a,b', '@a @b', 'a;b', '@a, @b'])(
    '%j is refused as a broadcast',
    (input) => {
      expect(answer(parseRecipient, input)).toBe('BROADCAST_REFUSED')
    },
  )

  test('an error about a name is one line, however the name looks', () => {
    for (const input of [...HORRORS, 'x'.repeat(5000)]) {
      const message = messageOf(() => parseName(input))
      expect(message).not.toMatch(/[\u0000-\u001f]/)
      expect(message.length).toBeLessThan(500)
    }
  })
})

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  return ''
}

test.each([
  ['Docs', 'docs'],
  ['front_end', 'front-end'],
  ['  My API (v2) ', 'my-api-v2'],
  ['../frontend', 'frontend'],
  ['2nd-web', 'nd-web'],
  ['名', undefined],
  ['--', undefined],
  ['A'.repeat(500), 'a'.repeat(32)],
])('%j may have been meant as %s, which can be typed', (input, name) => {
  expect(nameLike(input)).toBe(name)
  if (name !== undefined) expect(answer(parseName, name)).toBe(name)
})

test.each(['a', 'backend', 'a'.repeat(32)])('the name beside %s is one, and another', (name) => {
  expect(nameBeside(name)).toMatch(NAME_PATTERN)
  expect(nameBeside(name)).not.toBe(name)
})
