import fc from 'fast-check'
import { formatId } from '../../src/message/id.ts'
import type { FieldValue, Message } from '../../src/message/message.ts'

/** Any name that a session may have. */
export const anyName = fc.stringMatching(/^[a-z][a-z0-9-]{0,31}$/)

/** What looks like a part of the format: where a parser that is fooled would be fooled. */
const PIECES = [
  '---',
  '\n---\n',
  '---js\n',
  '\n',
  '\r\n',
  '\r',
  ' ',
  '\t',
  ': ',
  'from: x',
  'to: "@human"',
  '{',
  '[',
  '&a',
  '*a',
  '!!js/function',
  '"',
  "'",
  '\\',
  '#',
  '%YAML',
  '── end',
  '\ufeff',
  '\u2028',
  '\u0085',
  '\u0007',
  '__proto__',
  '🙂',
  'e\u0301',
]

/** Any text without half surrogates: what UTF-8 can hold. */
export const anyText = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength }),
    fc.string({ unit: 'grapheme', maxLength }),
    fc
      .array(fc.constantFrom(...PIECES), { maxLength: Math.min(maxLength, 30) })
      .map((parts) => parts.join('')),
    fc
      .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 8 })), { maxLength: 12 })
      .map((all) => all.join('')),
  )

/** Any text at all, half surrogates and NUL included, as a program may hand it over. */
export const anyString = fc.oneof(
  anyText(60),
  fc
    .array(fc.constantFrom('\ud800', '\udfff', '\0', 'a', '/', '..', '\n'), { maxLength: 8 })
    .map((all) => all.join('')),
  fc.integer({ min: 100, max: 5000 }).map((length) => 'x'.repeat(length)),
)

/** A value of a field of a later version: text, lists and maps of these, a few levels deep. */
const fieldValue = fc.letrec<{ value: FieldValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(anyText(20), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(anyText(8), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value

const KNOWN = new Set('id from to timestamp kind thread in_reply_to subject chain hops'.split(' '))

/** Fields that this version does not know. */
const unknownFields = fc.dictionary(
  anyText(12).filter((key) => !KNOWN.has(key)),
  fieldValue,
  { maxKeys: 4, noNullPrototype: true },
)

const micros = fc.integer({ min: 0, max: 8e15 })
const anyId = fc.record({ micros, from: anyName }).map(({ micros: at, from }) => formatId(at, from))

/** Any message that can be sent, and any that a later version may send. */
export const anyMessage: fc.Arbitrary<Message> = fc
  .record(
    {
      micros,
      from: anyName,
      to: anyName,
      kind: fc.oneof(
        fc.constantFrom('handover', 'question', 'task', 'result'),
        fc.stringMatching(/^[a-z][a-z0-9-]{0,31}$/),
      ),
      thread: anyId,
      inReplyTo: anyId,
      subject: anyText(60).filter((text) => !/[\n\r]/.test(text)),
      chain: anyId,
      hops: fc.nat(999_999_999),
      body: anyText(400),
      extra: unknownFields,
    },
    { requiredKeys: ['micros', 'from', 'to', 'kind', 'thread', 'chain', 'hops', 'body', 'extra'] },
  )
  .map(({ micros: at, from, ...rest }) => {
    const timestamp = new Date(Math.floor(at / 1000)).toISOString()
    return { id: formatId(at, from), from, timestamp, ...rest }
  })
