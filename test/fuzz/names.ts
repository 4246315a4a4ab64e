import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { homeAt } from '../../src/bus/home.ts'
import { resolveId } from '../../src/bus/mail/archive.ts'
import { type CodedError, isCoded } from '../../src/errors.ts'
import { formatId, idOfFile, parseId, senderOfId } from '../../src/message/id.ts'
import {
  ADDRESS_PATTERN,
  NAME_PATTERN,
  parseName,
  parseRecipient,
  parseSessionName,
} from '../../src/message/name.ts'
import { verbs } from '../../src/message/verbs.ts'
import { tempHome } from '../../src/testing/home.ts'
import { anyName, anyString } from './arbitraries.ts'
import { forAll } from './cases.ts'

/** What people and programs give where a name is asked for, near misses above all. */
const given = fc.oneof(
  anyString,
  anyName,
  anyName.map((name) => `@${name}`),
  fc.constantFrom(
    '@',
    '@@a',
    '',
    'read',
    'all',
    '@everyone',
    '@a,@b',
    'human',
    '.',
    '..',
    'a/../b',
    'a.md',
    '-',
    '1a',
  ),
  fc.constantFrom(...verbs().map(({ word }) => word)),
  fc.tuple(anyName, anyString).map(([name, more]) => `${name}${more}`),
)

/** What the function gives for the text, or the error that it refuses it with. */
function answerOf(
  parse: (text: string) => string,
  text: string,
): { name: string } | { refused: CodedError } {
  try {
    return { name: parse(text) }
  } catch (error) {
    for (const code of ['NAME_INVALID', 'NAME_RESERVED', 'BROADCAST_REFUSED'] as const)
      if (isCoded(error, code)) return { refused: error }
    throw error
  }
}

export function nameProperties(): void {
  describe('names and ids', () => {
    test('a name is refused in one line, or is one that no path can be led astray by', async () => {
      const home = homeAt('/home/somebody/agent-chat')
      const property = fc.property(given, (text) => {
        for (const parse of [parseName, parseSessionName, parseRecipient]) {
          const answer = answerOf(parse, text)
          if ('refused' in answer) {
            expect(`${answer.refused.message}${answer.refused.hint}`).not.toMatch(/[\u0000-\u001f]/)
            continue
          }
          expect(answer.name).toMatch(parse === parseRecipient ? ADDRESS_PATTERN : NAME_PATTERN)
          expect(resolve(home.inbox(answer.name))).toBe(`${home.inboxes}/${answer.name}`)
          expect(resolve(home.state(answer.name))).toBe(`${home.states}/${answer.name}.json`)
        }
      })
      await forAll('names', 2000, property)
    })

    test('an id tells its time and its sender, and a file of any name is a message in its place or none', async () => {
      const micros = fc.integer({ min: 0, max: 8e15 })
      const home = homeAt('/home/somebody/agent-chat')
      const property = fc.property(micros, anyName, anyString, (at, from, text) => {
        const id = formatId(at, from)
        expect([parseId(id), senderOfId(id), idOfFile(`${id}.md`)]).toEqual([
          { micros: at, from },
          from,
          id,
        ])
        for (const file of [text, `${text}.md`, `${id}${text}`, `${text}${id}.md`]) {
          const found = idOfFile(file)
          if (found !== undefined)
            expect(resolve(home.message(found))).toBe(`${home.messages}/${found}.md`)
          expect(senderOfId(file) ?? 'a').toMatch(ADDRESS_PATTERN)
        }
      })
      await forAll('ids', 2000, property)
    })

    test('what is looked for by any part of an id is found, not there, or one of several', async () => {
      const home = tempHome('backend')
      const property = fc.property(given, (part) => {
        try {
          expect(idOfFile(`${resolveId(home, part, 'backend')}.md`)).toBeDefined()
        } catch (error) {
          expect(isCoded(error, 'MESSAGE_UNKNOWN') || isCoded(error, 'ID_AMBIGUOUS')).toBe(true)
        }
      })
      await forAll('parts of ids', 500, property)
    })
  })
}
