import fc from 'fast-check'
import matter from 'gray-matter'
import yaml from 'js-yaml'
import { expect, test } from 'vitest'
import { readOwnHeader } from './header.ts'
import type { FieldValue, Message } from './message.ts'
import { serializeMessage } from './serialize.ts'

const parse = (text: string) => {
  const engine = (header: string) => yaml.load(header, { schema: yaml.FAILSAFE_SCHEMA }) as object
  const { data, content } = matter(text, { language: 'yaml', engines: { yaml: engine } })
  return { data, content }
}

const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:+-]{0,20}$/)
const line = fc.string({ unit: 'binary', maxLength: 40 })
const value: fc.Arbitrary<FieldValue> = fc.oneof(
  word,
  line,
  fc.constant(null),
  fc.array(line, { maxLength: 2 }),
)
const message: fc.Arbitrary<Message> = fc.record({
  id: word,
  from: word,
  to: word,
  timestamp: word,
  kind: word,
  thread: word,
  subject: fc.oneof(word, fc.string({ unit: 'grapheme', maxLength: 40 }), line),
  chain: word,
  hops: fc.nat(),
  body: fc.string({ unit: 'binary' }),
  extra: fc.oneof(
    fc.constant({}),
    fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), value, { maxKeys: 2 }),
  ),
})

test('a header is read as the YAML parser reads it, or left to it', () => {
  let read = 0
  const property = fc.property(message, (sent) => {
    const text = serializeMessage(sent)
    const own = readOwnHeader(text)
    if (own === undefined) return
    read += 1
    expect(own).toEqual(parse(text))
  })
  fc.assert(property, { numRuns: 2000 })
  expect(read).toBeGreaterThan(500)
})

test('a list of strings, as the options of a decision are, needs no parser', () => {
  const text = '---\noptions: ["keep it", "drop, \\"it\\"", "é]"]\n---\nbody\n'
  expect(readOwnHeader(text)).toEqual({
    data: { options: ['keep it', 'drop, "it"', 'é]'] },
    content: 'body\n',
  })
  expect(readOwnHeader(text)).toEqual(parse(text))
})

test('what somebody changed by hand is read as the YAML parser reads it, or left to it', () => {
  const piece = fc.constantFrom(
    '---',
    '\n',
    ' ',
    ':',
    '"',
    '\\',
    '#',
    '-',
    'a',
    '0',
    '\t',
    '\r',
    '\u0085',
    '\u2028',
    '\ufeff',
    '{',
    '\\u0041',
  )
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.nat(3),
    put: piece,
  })
  let read = 0
  const property = fc.property(message, fc.array(change, { maxLength: 3 }), (sent, changes) => {
    const whole = serializeMessage({ ...sent, subject: 'an "API": contract', extra: {} })
    const text = changes.reduce((before, { at, cut, put }) => {
      const place = Math.floor(at * Math.min(before.length, 220))
      return before.slice(0, place) + put + before.slice(place + cut)
    }, whole)
    const own = readOwnHeader(text)
    if (own === undefined) return
    read += 1
    expect(own).toEqual(parse(text))
  })
  fc.assert(property, { numRuns: 5000 })
  expect(read).toBeGreaterThan(500)
})

test('a header made of what YAML reads in its own ways is read alike, or left to the parser', () => {
  const piece = fc.constantFrom(
    ...'abZ09:.-+_ "#\\\'&*!|>%@`[]{},?~=<',
    '\t',
    '\r',
    '\u0007',
    '\u0085',
    '\u009f',
    '\u00a0',
    'é',
    '\u2028',
    '\ufeff',
    '\ud800',
    '\ufffe',
    '\\u0041',
    '\\x41',
  )
  const inner = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''))
  const form = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `"${text}"`,
    (text) => `[${text}]`,
    (text) => `["${text}"]`,
    (text) => `["a", "${text}"]`,
  )
  const field = fc.record({ key: fc.constantFrom('from', 'to', 'kind'), value: inner, form })
  let read = 0
  const property = fc.property(fc.array(field, { minLength: 1, maxLength: 3 }), (fields) => {
    const lines = fields.map(({ key, value, form }) => `${key}: ${form(value)}\n`)
    const text = `---\n${lines.join('')}---\nbody\n`
    const own = readOwnHeader(text)
    if (own === undefined) return
    read += 1
    expect(own).toEqual(parse(text))
  })
  fc.assert(property, { numRuns: 20_000 })
  expect(read).toBeGreaterThan(1000)
})
