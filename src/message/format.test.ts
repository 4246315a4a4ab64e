import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCoded } from '../errors.ts'
import { fileText, someMessage } from '../testing/message.ts'
import { parseMessage } from './format.ts'
import { formatId } from './id.ts'
import type { FieldValue, Message } from './message.ts'
import { serializeMessage } from './serialize.ts'

const ID = '20261121T033912.123456Z-from-backend'

/** The code and reason with which a text is refused. */
function refusal(text: string, id = ID): string {
  try {
    parseMessage(text, id)
  } catch (error) {
    if (isCoded(error, 'MESSAGE_UNREADABLE')) return error.message
    throw error
  }
  return 'it was read'
}

const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,31}$/)
const body = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        '---',
        '---js',
        '\n',
        '\r\n',
        ' ',
        'from: x',
        '{',
        '"',
        "'",
        '#',
        '\t',
        '── end',
        '\ufeff',
      ),
      {
        maxLength: 20,
      },
    )
    .map((parts) => parts.join('')),
)
const subject = fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => !/[\n\r]/.test(text))
const scalar = fc.string({ unit: 'binary', maxLength: 20 })
const known = /^(id|from|to|timestamp|kind|thread|in_reply_to|subject|chain|hops)$/
const extra: fc.Arbitrary<Record<string, FieldValue>> = fc.dictionary(
  fc.string({ maxLength: 12 }).filter((key) => !known.test(key)),
  fc.oneof(
    scalar,
    fc.constant(null),
    fc.array(scalar, { maxLength: 3 }),
    fc.dictionary(scalar, scalar, { maxKeys: 3 }),
  ),
  { maxKeys: 3, noNullPrototype: true },
)

const message: fc.Arbitrary<Message> = fc
  .record({
    name,
    to: name,
    micros: fc.integer({ min: 0, max: 8e15 }),
    body,
    subject,
    extra,
    hops: fc.nat(999),
  })
  .map(({ name, to, micros, body, subject, extra, hops }) => {
    const id = formatId(micros, name)
    return someMessage({ id, from: name, to, thread: id, chain: id, body, subject, extra, hops })
  })

describe('a message and its file', () => {
  test('what was written is what is read, whatever the body, the subject and the fields of later versions', () => {
    fc.assert(
      fc.property(message, (sent) => {
        expect(parseMessage(serializeMessage(sent), sent.id)).toEqual(sent)
      }),
      { numRuns: 1000 },
    )
  })

  test('a half surrogate, which no file can hold, is at least no way out of its field', () => {
    const read = parseMessage(
      serializeMessage(someMessage({ subject: 'a\ud800b', extra: { x: '\udfff' } })),
      ID,
    )
    expect(read.subject).toBe('a\ud800b')
    expect(read.extra).toEqual({ x: '\udfff' })
  })

  test.each([[[null]], [['a', null]], [[null, 'a']], [[null, null]], [[{ b: [null] }]]])(
    'a list with empty entries keeps them: %j',
    (list) => {
      const sent = someMessage({ extra: { list } })
      expect(parseMessage(serializeMessage(sent), ID)).toEqual(sent)
    },
  )

  test('any bytes at all are read or refused with a reason, never met with another error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        for (const whole of [text, `---\n${text}`, fileText('backend', 'x', '', text)])
          expect(refusal(whole)).not.toBe('')
      }),
      { numRuns: 500 },
    )
  })

  test('the file looks as documented', () => {
    const sent = someMessage({ subject: 'API: ready', inReplyTo: ID, body: '# Done\n\nGET /tasks' })
    expect(serializeMessage(sent)).toBe(
      [
        '---',
        `id: ${ID}`,
        'from: backend',
        'to: frontend',
        'timestamp: 2026-11-21T03:39:12.123Z',
        'kind: handover',
        `thread: ${ID}`,
        `in_reply_to: ${ID}`,
        'subject: "API: ready"',
        `chain: ${ID}`,
        'hops: 0',
        '---',
        '# Done',
        '',
        'GET /tasks',
        '',
      ].join('\n'),
    )
  })
})

describe('what is read', () => {
  test('the older form, without an opening line and with the fields it had', () => {
    const text =
      'from: backend\nto: frontend\ntimestamp: 2026-11-21T03:39:12Z\n---\nit is\n---\nready\n'
    expect(parseMessage(text, '2026-11-21T03-39-12-from-backend')).toEqual(
      someMessage({
        id: '2026-11-21T03-39-12-from-backend',
        thread: '2026-11-21T03-39-12-from-backend',
        chain: '2026-11-21T03-39-12-from-backend',
        timestamp: '2026-11-21T03:39:12.000Z',
        body: 'it is\n---\nready',
      }),
    )
  })

  test('a header with CR LF', () => {
    const read = parseMessage(fileText('backend', 'frontend', 'x').replaceAll('\n', '\r\n'), ID)
    expect([read.from, read.to]).toEqual(['backend', 'frontend'])
  })

  test('a name with its @', () => {
    expect(parseMessage(fileText('"@backend"', '"@frontend"', 'x'), ID).to).toBe('frontend')
  })

  test.each(['null', 'true', 'no', 'on', 'y', 'e5', 'nan'])(
    'a session called %s is that, not a YAML value',
    (word) => {
      const id = `20261121T033912.123456Z-from-${word}`
      const read = parseMessage(fileText(word, word, 'x'), id)
      expect([read.from, read.to]).toEqual([word, word])
      const sent = someMessage({ id, from: word, to: word, thread: id, chain: id, subject: word })
      expect(parseMessage(serializeMessage(sent), id)).toEqual(sent)
    },
  )

  test('a value that YAML 1.1 would turn into a number or a date stays as it was written', () => {
    const more = 'build: 0123\nday: 2026-11-21\nratio: 1e3\nempty:\nflag: yes\n'
    expect(parseMessage(fileText('backend', 'x', '', more), ID).extra).toEqual({
      build: '0123',
      day: '2026-11-21',
      ratio: '1e3',
      empty: null,
      flag: 'yes',
    })
  })

  test('a field called __proto__ changes no prototype', () => {
    const read = parseMessage(
      fileText('backend', 'x', '', '__proto__: {polluted: yes}\nconstructor: c\n'),
      ID,
    )
    expect(Object.hasOwn(read.extra, '__proto__')).toBe(true)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('two messages never share one object', () => {
    const text = fileText('backend', 'x', '', 'tags: [a]\n')
    const first = parseMessage(text, ID)
    first.extra.tags = ['changed']
    expect(parseMessage(text, ID).extra).toEqual({ tags: ['a'] })
  })
})

const CODE = 'process.exit(99)'
const REFUSED: [what: string, text: string, why: RegExp][] = [
  ['nothing', '', /no end/],
  ['---js', `---js\n${CODE}\n---\nx`, /not plain YAML/],
  ['--- js', `--- js\n${CODE}\n---\nx`, /not plain YAML/],
  ['---javascript', `---javascript\n${CODE}\n---\nx`, /not plain YAML/],
  ['---json', '---json\n{"from":"backend","to":"x"}\n---\nx', /not plain YAML/],
  ['---coffee', '---coffee\nx\n---\nx', /not plain YAML/],
  ['--- yaml', fileText('backend', 'x', '').replace('---', '--- yaml'), /not plain YAML/],
  ['----', fileText('backend', 'x', '').replace('---', '----'), /not plain YAML/],
  ['a header without an end', '---\nfrom: backend\nto: frontend\nbody', /no end/],
  ['an end with something behind it', '---\nfrom: backend\n--- js\nx', /no end/],
  ['a header that was cut in a word', '---\nfrom: back', /no end/],
  ['a header that is a list', '---\n- from\n---\n', /not YAML \(no fields\)/],
  ['a header that is one word', '---\nhello\n---\n', /not YAML \(no fields\)/],
  ['an empty header', '---\n---\nx', /./],
  ['a header of a comment', '---\n# from: backend\n---\nx', /./],
  [
    'a JavaScript function',
    fileText('backend', 'x', '', 'f: !!js/function "function(){}"\n'),
    /not YAML/,
  ],
  ['an unknown tag', fileText('backend', 'x', '', 'f: !python/object x\n'), /not YAML/],
  ['the same field twice', fileText('backend', 'x', '', 'from: other\n'), /not YAML/],
  ['no sender', '---\nto: x\ntimestamp: 2026-11-21T03:39:12Z\n---\n', /from is not a session name/],
  ['a sender that is a path', fileText('../../etc', 'x', ''), /from is not a session name/],
  ['a sender that is a list', fileText('[backend]', 'x', ''), /from is not text/],
  ['another sender than its name says', fileText('frontend', 'x', ''), /its name says @backend/],
  ['a recipient that is no name', fileText('backend', 'X', ''), /to is not a session name/],
  ['no time', '---\nfrom: backend\nto: x\n---\n', /timestamp is not a time/],
  [
    'a time that is none',
    '---\nfrom: backend\nto: x\ntimestamp: soon\n---\n',
    /timestamp is not a time/,
  ],
  [
    'a thread that is a path',
    fileText('backend', 'x', '', 'thread: ../../x\n'),
    /thread is not an id/,
  ],
  [
    'a chain with a newline',
    fileText('backend', 'x', '', 'chain: "a\\nb"\n'),
    /chain is not an id/,
  ],
  ['hops that are negative', fileText('backend', 'x', '', 'hops: -1\n'), /hops is not a number/],
  ['hops that are a word', fileText('backend', 'x', '', 'hops: many\n'), /hops is not a number/],
  ['a kind with a newline', fileText('backend', 'x', '', 'kind: "a\\nb"\n'), /kind is not a word/],
]

const laughs = [
  'a: &a [x,x,x,x,x,x,x,x,x,x]',
  ...'bcdefghi'.split('').map((key, at) => {
    const before = 'abcdefgh'[at]
    return `${key}: &${key} [${Array(10).fill(`*${before}`).join(',')}]`
  }),
].join('\n')

const BOMBS: [what: string, more: string][] = [
  ['a billion laughs', `${laughs}\n`],
  ['a list that holds itself', 'a: &a [*a]\n'],
  ['lists in lists, 30,000 deep', `a: ${'['.repeat(30_000)}\n`],
  ['maps in maps, 10,000 deep', `a: ${'{a: '.repeat(10_000)}\n`],
  ['block lists, 20,000 deep', `a:\n  ${'- '.repeat(20_000)}x\n`],
  ['a header of 100,000 characters', `a: ${'x'.repeat(100_000)}\n`],
  ['5,000 fields', `${Array.from({ length: 5000 }, (_, at) => `f${at}: x\n`).join('')}`],
  ['many merge keys', `a: &a {b: c}\nd:\n${'  <<: *a\n'.repeat(5000)}`],
]

describe('what is refused, with a reason and nothing run', () => {
  test.each(REFUSED)('%s', (_, text, why) => expect(refusal(text)).toMatch(why))
  test.each(BOMBS)('%s', (_, more) =>
    expect(refusal(fileText('backend', 'x', '', more))).not.toBe('it was read'),
  )
})
