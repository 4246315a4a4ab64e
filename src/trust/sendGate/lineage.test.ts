import { describe, expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { markRead } from '../../bus/mail/inbox.ts'
import { putMark } from '../../bus/mail/marks.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import type { Message } from '../../message/message.ts'
import type { Turn } from '../../session/turn.ts'
import { type FixedClock, fixedClock } from '../../testing/clock.ts'
import { tempBus } from '../../testing/home.ts'
import { causesOf, sendersText } from './cause.ts'
import { lineageOf } from './lineage.ts'
import { noteShown } from './shown.ts'

const START = '2026-11-21T03:39:12.000Z'
const MINUTE = 60_000

function world() {
  const clock = fixedClock(START)
  const bus = tempBus(['frontend', 'backend', 'docs'], clock)
  const turn = (fields: Partial<Turn> = {}): Turn => ({
    id: 'one',
    began: 'doorbell',
    at: new Date(clock.now()).toISOString(),
    opened: null,
    chain: null,
    work: 0,
    asked: [],
    ...fields,
  })
  return { bus, clock, turn, get: sender(bus, clock), read: reader(bus) }
}

/** Sends a message to @frontend, a second after the one before. */
function sender(bus: Bus, clock: FixedClock) {
  return (from: string, chain: string, hops: number): Message => {
    clock.set(clock.now() + 1000)
    return sendMessage(bus, { from, to: 'frontend', kind: 'note', body: 'x', chain, hops }).message
  }
}

/** Has @frontend read messages, as its inbox does. */
function reader(bus: Bus) {
  return (...messages: Message[]) => {
    noteShown(bus, 'frontend', messages)
    for (const { id } of messages) markRead(bus, 'frontend', id)
  }
}

const lineage = (bus: Bus, to: string, turn?: Turn, answered?: Message) =>
  lineageOf(bus, 'frontend', to, turn, answered)

describe('a message follows from', () => {
  test('nothing, where nothing was read', async () => {
    const { bus, turn } = world()
    expect(await lineage(bus, 'backend', turn())).toEqual({ chain: undefined, hops: 0 })
    expect(await lineage(bus, 'backend')).toEqual({ chain: undefined, hops: 0 })
  })

  test('the human’s words in the turn, whatever was read', async () => {
    const { bus, turn, get, read } = world()
    const own = turn({ began: 'human', chain: 'mine' })
    read(get('backend', 'c', 3))
    expect(await lineage(bus, 'backend', own)).toEqual({ chain: 'mine', hops: 0 })
    expect(await lineage(bus, 'backend', turn({ opened: 'prompt', chain: 'mine' }))).toEqual({
      chain: 'mine',
      hops: 0,
    })
    expect(await lineage(bus, 'backend', turn({ granted: ['commands'] }))).toEqual({
      chain: undefined,
      hops: 0,
    })
  })

  test('what has come back in the human’s turn, once that goes on by nobody’s word', async () => {
    const { bus, turn, get, read } = world()
    const own = turn({ began: 'human', chain: 'mine' })
    const goesOn = { ...own, id: 'two', checked: 'two' }
    read(get('docs', 'another', 3))
    expect(await lineage(bus, 'backend', goesOn)).toEqual({ chain: 'mine', hops: 0 })
    read(get('backend', 'mine', 1))
    expect(await lineage(bus, 'backend', own)).toEqual({ chain: 'mine', hops: 0 })
    expect(await lineage(bus, 'backend', goesOn)).toEqual({ chain: 'mine', hops: 2 })
    // To another recipient, too: three sessions make a circle as well as two.
    expect(await lineage(bus, 'docs', goesOn)).toEqual({ chain: 'mine', hops: 2 })
    // The human has let the chain go on: what was read on it before counts no more.
    read(get('backend', 'mine', 0))
    expect(await lineage(bus, 'backend', goesOn)).toEqual({ chain: 'mine', hops: 1 })
    // A word of the human's begins a new chain; one that only looked like theirs does not.
    expect(await lineage(bus, 'backend', { ...goesOn, chain: 'new' })).toEqual({
      chain: 'new',
      hops: 0,
    })
    const approved = turn({ granted: ['commands'], checked: 'one', at: own.at })
    expect(await lineage(bus, 'backend', approved)).toEqual({ chain: undefined, hops: 0 })
    read(get('backend', '20261121T033912.000000Z-from-frontend', 1))
    expect(await lineage(bus, 'backend', approved)).toMatchObject({ hops: 2 })
  })

  test('what its recipient wrote, else from any message of the turn, the furthest first', async () => {
    const { bus, turn, get, read } = world()
    const now = turn()
    read(get('backend', 'c1', 0), get('backend', 'c2', 1), get('docs', 'c3', 2))
    expect(await lineage(bus, 'backend', now)).toEqual({ chain: 'c2', hops: 2 })
    expect(await lineage(bus, 'docs', now)).toEqual({ chain: 'c3', hops: 3 })
    expect(await lineage(bus, 'human', now)).toEqual({ chain: 'c3', hops: 3 })
  })

  test('what it answers, but never from less than it follows from', async () => {
    const { bus, turn, get, read } = world()
    const old = get('docs', 'c0', 2)
    read(old)
    const now = turn()
    const [near, far] = [get('backend', 'c1', 0), get('backend', 'c2', 3)]
    read(near, far)
    expect(await lineage(bus, 'backend', now, far)).toEqual({ chain: 'c2', hops: 4 })
    expect(await lineage(bus, 'backend', now, near)).toEqual({ chain: 'c2', hops: 4 })
    expect(
      await lineage(bus, 'docs', turn({ at: new Date(bus.clock.now() + 1).toISOString() }), old),
    ).toEqual({
      chain: 'c0',
      hops: 3,
    })
  })

  test('what waits unread, where the turn has read nothing', async () => {
    const { bus, turn, get } = world()
    get('backend', 'c1', 2)
    expect(await lineage(bus, 'backend', turn())).toEqual({ chain: 'c1', hops: 3 })
  })

  test('what was read in the last ten minutes, where nothing tells of turns', async () => {
    const { bus, clock, get, read } = world()
    read(get('backend', 'c1', 1))
    clock.set(clock.now() + 10 * MINUTE)
    expect(await lineage(bus, 'backend')).toEqual({ chain: 'c1', hops: 2 })
    clock.set(clock.now() + 1)
    expect(await lineage(bus, 'backend')).toEqual({ chain: undefined, hops: 0 })
  })

  test('the human, where they have let its chain go on', async () => {
    const { bus, turn, get, read } = world()
    const held = get('backend', 'c1', 4)
    putMark(bus.home, 'frontend', held.id, { ring: 'resumed', why: 'x', chain: 'c1', at: START })
    const now = turn()
    read(held)
    expect(await lineage(bus, 'backend', now)).toEqual({ chain: 'c1', hops: 1 })
    expect(await lineage(bus, 'backend', now, held)).toEqual({ chain: 'c1', hops: 1 })
    // In a later turn, too, it is what it was when it was read.
    const next = turn({ at: new Date(bus.clock.now() + 1000).toISOString() })
    expect(await lineage(bus, 'backend', next, held)).toEqual({ chain: 'c1', hops: 1 })
  })
})

test('what a turn is about is what was read since it began; its senders are named once', () => {
  const { bus, turn, get, read } = world()
  read(get('docs', 'c0', 0))
  const now = turn({ at: new Date(bus.clock.now() + 1).toISOString() })
  read(get('backend', 'c1', 0), get('backend', 'c1', 1), get('docs', 'c2', 0))
  expect(sendersText(causesOf(bus, 'frontend', now))).toBe('@backend, @docs')
  expect(causesOf(bus, 'backend', now)).toEqual([])
})
