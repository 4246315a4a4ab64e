import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isCoded } from '../../errors.ts'
import { parseMessage } from '../../message/format.ts'
import { MAX_BODY_BYTES } from '../../message/message.ts'
import { fixedClock } from '../../testing/clock.ts'
import { interceptFs } from '../../testing/fsCalls.ts'
import { eventsOf, filesIn, tempBus, tempDirectory } from '../../testing/home.ts'
import { homeAt } from '../home.ts'
import { parseBody } from './draft.ts'
import { sendMessage } from './send.ts'

const draft = { from: 'backend', to: 'frontend', kind: 'handover', body: 'hello' }

function code(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (isCoded(error)) return error.code
    throw error
  }
  return 'accepted'
}

describe('sending', () => {
  test('puts one file into the archive and the inbox, a line into the history, and rings', () => {
    const bus = tempBus(['frontend'], fixedClock('2026-11-21T03:39:12.123Z'))
    const { message, warning } = sendMessage(bus, { ...draft, subject: 'about' })
    const id = '20261121T033912.123000Z-from-backend'
    expect(warning).toBeUndefined()
    expect(message).toMatchObject({
      id,
      thread: id,
      chain: id,
      hops: 0,
      timestamp: '2026-11-21T03:39:12.123Z',
    })
    expect(statSync(bus.home.message(id)).ino).toBe(statSync(bus.home.unread('frontend', id)).ino)
    expect(statSync(bus.home.message(id)).mode & 0o777).toBe(0o600)
    expect(filesIn(bus.home.messages)).toEqual([`${id}.md`])
    expect(eventsOf(bus.home)).toMatchObject([
      { event: 'sent', id, from: 'backend', to: 'frontend', preview: 'hello', bytes: 5 },
    ])
    expect(existsSync(bus.home.ring('frontend'))).toBe(true)
  })

  test('two messages of one microsecond get two ids, in order', () => {
    const bus = tempBus(['frontend'])
    const still = { now: () => 0, micros: fixedClock('2026-12-31T23:59:59.999Z').micros }
    const again = { now: () => 0, micros: fixedClock('2026-12-31T23:59:59.999Z').micros }
    const ids = [still, again, still].map(
      (clock) => sendMessage({ ...bus, clock }, draft).message.id,
    )
    expect(ids).toEqual([
      '20261231T235959.999000Z-from-backend',
      '20261231T235959.999001Z-from-backend',
      '20261231T235959.999002Z-from-backend',
    ])
    expect(filesIn(bus.home.messages)).toHaveLength(3)
  })

  test('a home, an inbox or a bell that went missing is made again', () => {
    const bus = { ...tempBus(), home: homeAt(`${tempDirectory()}/not/yet/there`) }
    const first = sendMessage(bus, draft)
    rmSync(bus.home.inbox('frontend'), { recursive: true })
    rmSync(bus.home.bells, { recursive: true })
    const second = sendMessage(bus, draft)
    expect([first.warning, second.warning]).toEqual([undefined, undefined])
    expect(existsSync(bus.home.unread('frontend', second.message.id))).toBe(true)
    expect(existsSync(bus.home.ring('frontend'))).toBe(true)
    for (const path of [
      bus.home.root,
      bus.home.messages,
      bus.home.inbox('frontend'),
      bus.home.bell('frontend'),
    ])
      expect(statSync(path).mode & 0o777).toBe(0o700)
  })

  test('an answer keeps the thread and the chain of what it answers', () => {
    const bus = tempBus(['frontend', 'backend'])
    const asked = sendMessage(bus, draft).message
    const { message } = sendMessage(bus, {
      ...draft,
      inReplyTo: asked,
      chain: asked.chain,
      hops: 1,
    })
    expect(message).toMatchObject({
      thread: asked.id,
      inReplyTo: asked.id,
      chain: asked.id,
      hops: 1,
    })
    expect(eventsOf(bus.home, 'sent')[1]).toMatchObject({ in_reply_to: asked.id, hops: 1 })
  })

  test('the history keeps 200 characters of a body, and never half a character', () => {
    const bus = tempBus(['frontend'])
    sendMessage(bus, { ...draft, body: '🙂'.repeat(500) })
    expect(eventsOf(bus.home)[0]?.preview).toBe('🙂'.repeat(200))
  })

  test.each([
    ['quiet', { ...draft, silent: { ring: 'quiet', why: 'sent --quiet' } as const }],
    ['urgent', { ...draft, extra: { priority: 'urgent' } }],
  ])('of a %s message that cannot be delivered nothing is left', (_, message) => {
    const bus = tempBus([])
    writeFileSync(bus.home.inbox('frontend'), 'not a directory')
    expect(code(() => sendMessage(bus, message))).toBe('HOME_UNUSABLE')
    expect(filesIn(bus.home.heldBy('frontend'))).toEqual([])
    expect(filesIn(bus.home.messages)).toEqual([])
  })

  test('of a marked message that cannot be published nothing is left', () => {
    const bus = tempBus(['frontend'])
    interceptFs(['linkSync'], () => {
      throw Object.assign(new Error('EIO: i/o error, link'), { code: 'EIO' })
    })
    expect(() => sendMessage(bus, { ...draft, silent: { ring: 'quiet', why: '' } })).toThrow('EIO')
    expect(filesIn(bus.home.heldBy('frontend'))).toEqual([])
    expect(filesIn(bus.home.messages)).toEqual([])
  })

  test('an inbox that is a file is what has to be moved away, not the home', () => {
    const bus = tempBus([])
    const inbox = bus.home.inbox('frontend')
    writeFileSync(inbox, 'not a directory')
    expect(() => sendMessage(bus, draft)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/\(ENOTDIR, inbox\/frontend\/\S+\.md\)$/),
        hint: expect.stringContaining(`: ls -ld ${inbox}; move it away`),
      }),
    )
  })

  test('a message that is sent stays sent when the history cannot be written', () => {
    const bus = tempBus(['frontend'])
    const home = Object.create(bus.home, {
      history: { value: `${bus.home.root}/no/such/place.log` },
    })
    const { message, warning } = sendMessage({ ...bus, home }, draft)
    expect(warning).toMatch(/^sent, but could not be recorded in the history \(ENOENT/)
    expect(existsSync(bus.home.unread('frontend', message.id))).toBe(true)
    expect(existsSync(bus.home.ring('frontend'))).toBe(true)
  })
})

describe('a body', () => {
  test.each([
    ['nothing', Buffer.from(''), 'BODY_EMPTY'],
    ['blanks', Buffer.from(' \n\t \u00a0\n'), 'BODY_EMPTY'],
    ['256 KiB', Buffer.alloc(MAX_BODY_BYTES, 'x'), 'accepted'],
    ['256 KiB and one byte', Buffer.alloc(MAX_BODY_BYTES + 1, 'x'), 'BODY_TOO_LONG'],
    [
      '256 KiB in characters of four bytes',
      Buffer.from('🙂'.repeat(MAX_BODY_BYTES / 4)),
      'accepted',
    ],
    [
      'one character of four bytes too many',
      Buffer.from('🙂'.repeat(MAX_BODY_BYTES / 4 + 1)),
      'BODY_TOO_LONG',
    ],
    ['a NUL', Buffer.from('a\0b'), 'BODY_NOT_TEXT'],
    ['a NUL alone', Buffer.from('\0'), 'BODY_NOT_TEXT'],
    ['a lone byte of UTF-8', Buffer.from([0x61, 0xc3]), 'BODY_NOT_TEXT'],
    ['an overlong slash', Buffer.from([0xc0, 0xaf]), 'BODY_NOT_TEXT'],
    ['half a surrogate pair', Buffer.from([0xed, 0xa0, 0x80]), 'BODY_NOT_TEXT'],
    ['escape sequences', Buffer.from('\u001b[2J\u0007'), 'accepted'],
    ['a byte order mark and a word', Buffer.from('\ufeffx'), 'accepted'],
  ])('of %s', (_, bytes, expected) => expect(code(() => parseBody(bytes))).toBe(expected))

  test.each([
    '\ufeffx',
    ' lead and trail \n\n',
    'x\r\n',
    '\r\nx',
    '---\nid: forged\n---\n',
    '\u001b[31m',
    '\n\n---js\n',
  ])('%j is kept to the byte', (body) => {
    const bus = tempBus(['frontend'])
    const { message } = sendMessage(bus, { ...draft, body: parseBody(Buffer.from(body)) })
    const text = readFileSync(bus.home.unread('frontend', message.id), 'utf8')
    expect(parseMessage(text, message.id)).toEqual({ ...message, body })
  })
})
