import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseBody } from '../../src/bus/mail/draft.ts'
import { readMessageFile, readUnread } from '../../src/bus/mail/inbox.ts'
import { sendMessage } from '../../src/bus/mail/send.ts'
import { isCoded } from '../../src/errors.ts'
import { parseMessage } from '../../src/message/format.ts'
import type { Message } from '../../src/message/message.ts'
import { serializeMessage } from '../../src/message/serialize.ts'
import { isBlank } from '../../src/message/visible.ts'
import { tempBus, tempDirectory } from '../../src/testing/home.ts'
import { anyMessage, anyText } from './arbitraries.ts'
import { forAll } from './cases.ts'

/** A few bytes of a file put in, taken out or replaced, as hands and disks do. */
const damage = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.nat(6),
    put: fc.oneof(
      anyText(6),
      fc.constantFrom('---', '\n', '"', ': ', '\0', '&a [*a]', '!!int "1"'),
    ),
  }),
  { minLength: 1, maxLength: 4 },
)

/** The message in a text, or undefined where it is refused in the one way in which it may be. */
function readOrRefused(text: string, id: string): Message | undefined {
  try {
    return parseMessage(text, id)
  } catch (error) {
    if (isCoded(error, 'MESSAGE_UNREADABLE')) return undefined
    throw error
  }
}

export function messageProperties(): void {
  describe('a message and its text', () => {
    test('the same message comes back, whatever its body and its fields of later versions', async () => {
      const property = fc.property(anyMessage, (sent) => {
        const text = serializeMessage(sent)
        const read = parseMessage(text, sent.id)
        expect(read).toEqual(sent)
        expect(serializeMessage(read)).toBe(text)
      })
      await forAll('messages', 4000, property)
    })

    test('a damaged text is refused as such, or is a message that comes back as it was read', async () => {
      const property = fc.property(anyMessage, damage, (sent, changes) => {
        const text = changes.reduce((before, { at, cut, put }) => {
          const place = Math.floor(at * before.length)
          return before.slice(0, place) + put + before.slice(place + cut)
        }, serializeMessage(sent))
        const read = readOrRefused(text, sent.id)
        if (read) expect(parseMessage(serializeMessage(read), read.id)).toEqual(read)
      })
      await forAll('damaged messages', 3000, property)
    })
  })

  describe('a message and its file', () => {
    test('what is sent is read to the byte, and the same from the archive', async () => {
      const bus = tempBus(['frontend'])
      const long = fc.tuple(fc.nat(300), anyText(40)).map(([times, text]) => text.repeat(times))
      const body = fc.oneof(anyText(400), long)
      const property = fc.property(anyMessage, body, (message, text) => {
        const bytes = Buffer.from(text)
        fc.pre(!isBlank(text) && !text.includes('\0'))
        const { from, kind, extra, subject } = message
        const draft = {
          from,
          to: 'frontend',
          kind,
          extra,
          ...(subject === undefined ? {} : { subject }),
        }
        const sent = sendMessage(bus, { ...draft, body: parseBody(bytes) })
        expect(sent.warning).toBeUndefined()
        const { id } = sent.message
        const unread = readMessageFile(bus.home.unread('frontend', id), `${id}.md`)
        expect(unread).toEqual({ ...sent.message, body: text })
        expect(readMessageFile(bus.home.message(id), `${id}.md`)).toEqual(unread)
      })
      await forAll('files', 600, property)
    })

    test('any bytes in an inbox are a message or set aside, and never stop what is behind them', async () => {
      const property = fc.property(
        fc.uint8Array({ maxLength: 300 }),
        anyMessage,
        (bytes, message) => {
          const path = `${directory}/${message.id}.md`
          writeFileSync(path, bytes)
          const read = readMessageFile(path, `${message.id}.md`)
          expect(['string', 'object']).toContain(typeof read)
        },
      )
      const directory = tempDirectory()
      await forAll('bytes', 500, property)

      const bus = tempBus(['frontend'])
      writeFileSync(
        `${bus.home.inbox('frontend')}/20261121T033912.123456Z-from-x.md`,
        Buffer.from([0xff, 0xfe]),
      )
      sendMessage(bus, { from: 'backend', to: 'frontend', kind: 'note', body: 'behind it' })
      expect(readUnread(bus, 'frontend')).toMatchObject({
        messages: [{ body: 'behind it' }],
        bad: [{}],
      })
    })
  })
}
