import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { formatId } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { serializeMessage } from '../../message/serialize.ts'
import { toWire } from '../../message/wire.ts'
import { eventsOf, filesIn, tempBus } from '../../testing/home.ts'
import type { Bus } from '../bus.ts'
import { messageAt } from '../mail/inbox.ts'
import { sendMessage } from '../mail/send.ts'
import { findPrunable } from '../upkeep/prune.ts'
import { removeThreads } from '../upkeep/pruneApply.ts'
import { letterFor, noteArrived, noteRefused } from './outbox.ts'
import { noteReceipts, receiptsFor } from './receipts.ts'
import { type Received, receive } from './receive.ts'
import type { Wire } from './wire.ts'

const silence = () => undefined
const take = (bus: Bus, wire: Wire): Received => receive(bus, wire, { me: 'b', peer: 'a', silence })

/** A message as machine a would send it to @frontend on b. */
/** Each message has an id of its own, also those of one millisecond. */
let made = 0

function wireOf(fields: Partial<Message> = {}, change: (text: string) => string = (text) => text) {
  const id = fields.id ?? formatId(Date.now() * 1000 + (made++ % 1000), 'backend')
  const message: Message = {
    ...{ id, from: 'backend', to: 'frontend.b', timestamp: '2026-11-21T03:39:12.123Z' },
    ...{ kind: 'note', thread: id, chain: id, hops: 0, body: 'hello', extra: {} },
    ...fields,
  }
  const wire = toWire(message, 'a')
  return { id: wire.id, text: change(serializeMessage(wire)) }
}

describe('receive()', () => {
  test('a message arrives once, however often it comes', () => {
    const bus = tempBus(['frontend'])
    const wire = wireOf()
    expect(take(bus, wire)).toMatchObject({ is: 'arrived' })
    expect(take(bus, wire)).toEqual({ is: 'again' })
    expect(filesIn(bus.home.inbox('frontend'))).toEqual([`${wire.id}.md`])
    expect(eventsOf(bus.home, 'sent')).toHaveLength(1)
    expect(messageAt(bus.home.message(wire.id), wire.id)).toMatchObject({
      from: 'backend.a',
      to: 'frontend',
      hops: 1,
    })
  })

  const POISON: [string, () => Wire][] = [
    ['text that is no message', () => ({ ...wireOf(), text: 'hello' })],
    ['front matter that is code', () => wireOf({}, (text) => text.replace('---', '---js'))],
    ['an id of another machine', () => wireOf({ from: 'x.c', id: formatId(1e15, 'x.c') })],
    ['an id of this machine', () => ({ ...wireOf(), id: formatId(1e15, 'human.b') })],
    ['an id that leaves the home', () => ({ ...wireOf(), id: '../../etc/x' })],
    [
      'a sender that its id does not name',
      () => wireOf({ from: 'human', id: formatId(1e15, 'backend') }),
    ],
    ['a bare sender', () => wireOf({}, (text) => text.replace('from: backend.a', 'from: human'))],
    ['a recipient elsewhere', () => wireOf({ to: 'frontend.c' })],
    ['a NUL', () => wireOf({ body: 'a\0b' })],
    ['a body that is too long', () => wireOf({ body: 'x'.repeat(300_000) })],
    [
      'a time more than an hour ahead',
      () => wireOf({ id: formatId((Date.now() + 7.2e6) * 1000, 'backend') }),
    ],
  ]

  test.each(POISON)('%s is kept aside and is in no inbox', (_, make) => {
    const bus = tempBus(['frontend'])
    expect(take(bus, make())).toMatchObject({ is: 'bad' })
    expect(filesIn(bus.home.peerBad('a'))).toEqual(['1'])
    expect(filesIn(bus.home.messages)).toEqual([])
    expect(filesIn(bus.home.inbox('frontend'))).toEqual([])
    expect(take(bus, wireOf())).toMatchObject({ is: 'arrived' })
  })

  test('another message under the same id is bad, and the first one stays', () => {
    const bus = tempBus(['frontend'])
    const id = formatId(1_795_232_352_123_456, 'backend')
    take(bus, wireOf({ id, body: 'one' }))
    expect(take(bus, wireOf({ id, body: 'two' }))).toMatchObject({ is: 'bad' })
    expect(readFileSync(bus.home.message(`${id}.a`), 'utf8')).toContain('one')
  })

  test('a name that nobody here has is refused, and no inbox is made for it', () => {
    const bus = tempBus(['frontend'])
    expect(take(bus, wireOf({ to: 'nobody.b' }))).toMatchObject({ is: 'refused' })
    expect(existsSync(bus.home.inbox('nobody'))).toBe(false)
  })

  test('what only means something there is left there', () => {
    const bus = tempBus(['frontend'])
    const attachments = [{ path: '/etc/passwd', bytes: '1', sha256: 'a'.repeat(64) }]
    const extra = { priority: 'urgent', escalation: '3', options: ['x'], choice: '1', attachments }
    const wire = wireOf({ extra: { ...extra, task_state: 'done', permission: 'p' } })
    // As a hostile machine would write it: with every field as it was.
    const text = wire.text.replace('---\n', '---\npriority: urgent\nescalation: 3\nchoice: 1\n')
    expect(take(bus, { ...wire, text })).toMatchObject({ is: 'arrived' })
    expect(messageAt(bus.home.message(wire.id), wire.id)?.extra).toEqual({
      task_state: 'done',
      files_there: ['a:/etc/passwd'],
    })
    expect(filesIn(bus.home.heldBy('frontend'))).toEqual([])
    expect(filesIn(bus.home.escalations)).toEqual([])
  })

  test('it joins no conversation of this home that its machine was never in', () => {
    const bus = tempBus(['frontend', 'docs'])
    const own = sendMessage(bus, { from: 'docs', to: 'frontend', kind: 'question', body: 'why?' })
    const { id } = own.message
    const wire = wireOf({
      inReplyTo: `${id}.b`,
      thread: `${id}.b`,
      chain: `${id}.b`,
      kind: 'reply',
    })
    take(bus, wire)
    const message = messageAt(bus.home.message(wire.id), wire.id)
    expect(message?.inReplyTo).toBeUndefined()
    expect(message).toMatchObject({ thread: wire.id, chain: wire.id })
  })

  test.each([
    ['the first answer to a question has its hops', ['reply'], { hops: 3, extra: { depth: '9' } }],
    ['a second answer counts', ['reply', 'reply'], { hops: 10, extra: {} }],
    ['a question back counts', ['question'], { hops: 10, extra: {} }],
  ])('%s, whatever it claims', (_, kinds, expected) => {
    const bus = tempBus(['frontend'])
    const draft = { from: 'frontend', to: 'backend.a', kind: 'question', body: 'why?', hops: 3 }
    const { id } = sendMessage(bus, draft).message
    const named = { inReplyTo: `${id}.b`, thread: `${id}.b`, chain: `${id}.b` }
    const claims = { ...named, extra: { depth: '9' } }
    const wires = kinds.map((kind) => wireOf({ ...claims, kind }))
    for (const wire of wires) take(bus, wire)
    const last = wires.at(-1)?.id ?? ''
    expect(messageAt(bus.home.message(last), last)).toMatchObject({
      ...{ inReplyTo: id, thread: id, chain: id },
      ...expected,
    })
  })

  test('a peer that calls a message free is not believed', () => {
    const bus = tempBus(['frontend'])
    const wire = wireOf({ hops: 2, extra: { depth: '0' } })
    take(bus, wire)
    expect(messageAt(bus.home.message(wire.id), wire.id)).toMatchObject({ hops: 3, extra: {} })
  })

  test('one that was read and pruned does not come back', () => {
    const bus = tempBus(['frontend'])
    const wire = wireOf({ id: formatId((Date.now() - 3.6e6) * 1000, 'backend') })
    take(bus, wire)
    rmSync(bus.home.unread('frontend', wire.id))
    removeThreads(bus, findPrunable(bus, Date.now()).prunable)
    expect(filesIn(bus.home.messages)).toEqual([])
    expect(take(bus, wire)).toEqual({ is: 'again' })
    expect(filesIn(bus.home.inbox('frontend'))).toEqual([])
  })

  test('a fault of this machine is thrown, so that the message comes again', () => {
    const bus = tempBus(['frontend'])
    rmSync(bus.home.inbox('frontend'), { recursive: true })
    writeFileSync(bus.home.inbox('frontend'), '')
    const wire = wireOf()
    expect(() => take(bus, wire)).toThrow()
    rmSync(bus.home.inbox('frontend'))
    expect(take(bus, wire)).toMatchObject({ is: 'arrived' })
    expect(filesIn(bus.home.inbox('frontend'))).toEqual([`${wire.id}.md`])
  })
})

describe('the queue of another machine', () => {
  const queued = (bus: Bus, more = {}) =>
    sendMessage(bus, { from: 'backend', to: 'frontend.b', kind: 'note', body: 'hi', ...more })
      .message

  test('a message waits there, in no inbox, until the other machine has it', () => {
    const bus = tempBus(['backend'])
    const { id } = queued(bus)
    expect(filesIn(bus.home.out('b'))).toEqual([`${id}.md`])
    expect(existsSync(bus.home.inbox('frontend.b'))).toBe(false)
    expect(letterFor(bus, 'b', 'a', id)).toMatchObject({ id: `${id}.a` })
    noteArrived(bus, 'b', id)
    expect(filesIn(bus.home.out('b'))).toEqual([])
    expect(eventsOf(bus.home, 'arrived')).toMatchObject([{ id, to: 'frontend.b', host: 'b' }])
    expect(letterFor(bus, 'b', 'a', id)).toBeUndefined()
  })

  test('why it does not ring goes along; urgent does not', () => {
    const bus = tempBus(['backend'])
    const held = queued(bus, { silent: { ring: 'held', why: 'too many' } })
    expect(letterFor(bus, 'b', 'a', held.id)).toMatchObject({
      silent: { ring: 'held', why: 'too many' },
    })
    const urgent = queued(bus, { extra: { priority: 'urgent' } })
    const letter = letterFor(bus, 'b', 'a', urgent.id)
    expect(letter).not.toHaveProperty('silent')
    expect(letter).not.toMatchObject({ text: expect.stringContaining('urgent') })
  })

  test('one that is refused is kept apart, and its sender is told', () => {
    const bus = tempBus(['backend'])
    const { id } = queued(bus)
    noteRefused(bus, 'b', id, 'no session named @frontend is registered')
    expect(filesIn(bus.home.out('b'))).toEqual([])
    expect(existsSync(bus.home.refusedThere('b', id))).toBe(true)
    const [note = ''] = filesIn(bus.home.inbox('backend'))
    expect(readFileSync(`${bus.home.inbox('backend')}/${note}`, 'utf8')).toContain(
      'no session named @frontend',
    )
  })

  test('receipts are told once, and noted only for what went to that machine', () => {
    const [a, b] = [tempBus(['backend']), tempBus(['frontend'])]
    const { id } = queued(a)
    const other = sendMessage(a, { from: 'backend', to: 'x.c', kind: 'note', body: 'hi' }).message
      .id
    const letter = letterFor(a, 'b', 'a', id)
    if (typeof letter !== 'object') throw new Error(String(letter))
    take(b, letter)
    writeFileSync(
      b.home.history,
      `${JSON.stringify({ at: '2026-11-21T03:39:12.123Z', event: 'read', id: letter.id, by: 'frontend' })}\n`,
      { flag: 'a' },
    )
    const due = receiptsFor(b.home, 'a', 'b')()
    expect(due.receipts).toEqual([{ id: `${id}.a`, stage: 'read' }])
    due.told()
    expect(receiptsFor(b.home, 'a', 'b')().receipts).toEqual([])
    for (const _ of ['once', 'again'])
      noteReceipts(a, 'b', 'a', [...due.receipts, { id: `${other}.a`, stage: 'read' }])
    expect(eventsOf(a.home, 'read')).toMatchObject([{ id, by: 'frontend.b' }])
  })

  test('a history that grows by what others have read is followed without a write for each', () => {
    const { home } = tempBus(['frontend'])
    mkdirSync(home.peer('a'), { recursive: true })
    const read = (id: string) =>
      writeFileSync(
        home.history,
        `${JSON.stringify({ at: '2026-11-21T03:39:12.123Z', event: 'read', id, by: 'frontend' })}\n`,
        { flag: 'a' },
      )
    const stored = () => readFileSync(home.receipts('a'), 'utf8')
    const id = (host: string) => `20261121T033912.123456Z-from-backend.${host}`
    const due = receiptsFor(home, 'a', 'b')
    read(id('c'))
    due().told()
    const before = stored()
    read(id('c'))
    due().told()
    expect(stored()).toBe(before)
    read(id('a'))
    const { receipts, told } = due()
    expect(receipts).toEqual([{ id: id('a'), stage: 'read' }])
    // One that did not get through is due again, and no other is.
    expect(due().receipts).toEqual(receipts)
    told()
    expect(due().receipts).toEqual([])
    expect(receiptsFor(home, 'a', 'b')().receipts).toEqual([])
  })
})
