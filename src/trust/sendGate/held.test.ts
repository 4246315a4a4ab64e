import { describe, expect, test } from 'vitest'
import type { Draft } from '../../bus/mail/draft.ts'
import { markRead, readUnread } from '../../bus/mail/inbox.ts'
import { markOf } from '../../bus/mail/marks.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { shortId } from '../../message/shortId.ts'
import { ringableIds } from '../../session/rings.ts'
import { eventsOf, filesIn, tempBus } from '../../testing/home.ts'
import { allHeld, release, tellHeld } from './held.ts'

const WHY = '4 messages on this chain since your user last wrote'

function world() {
  const bus = tempBus(['frontend', 'backend'])
  const send = (to: string, fields: Partial<Draft> = {}) =>
    sendMessage(bus, { from: 'docs', to, kind: 'note', body: 'x', ...fields }).message
  const hold = (to: string, chain: string) =>
    send(to, { chain, hops: 4, silent: { ring: 'held', why: WHY } })
  return { bus, send, hold }
}

describe('what is held', () => {
  test('is what is unread and marked so, of everyone', () => {
    const { bus, send, hold } = world()
    send('frontend')
    send('frontend', { silent: { ring: 'quiet', why: 'it only thanks or acknowledges' } })
    const [one, two, read] = [hold('frontend', 'c1'), hold('backend', 'c2'), hold('backend', 'c1')]
    markRead(bus, 'backend', read.id)
    expect(allHeld(bus).map(({ id, to, chain, why }) => ({ id, to, chain, why }))).toEqual([
      { id: two.id, to: 'backend', chain: 'c2', why: WHY },
      { id: one.id, to: 'frontend', chain: 'c1', why: WHY },
    ])
    expect(ringableIds(bus, 'frontend')).toHaveLength(1)
  })

  test('is told to the human once for each chain, until it goes on', () => {
    const { bus, hold } = world()
    const notes = () => readUnread(bus, 'human').messages
    for (const chain of ['c1', 'c1', 'c2']) tellHeld(bus, hold('frontend', chain), WHY)
    expect(notes()).toMatchObject([
      {
        from: 'agent-chat',
        subject: '@docs to @frontend is held',
        extra: { held_by: 'frontend', held_chain: shortId('c1') },
        body: expect.stringContaining(`release ${shortId('c1')}`),
      },
      { body: expect.stringContaining(`release ${shortId('c2')}`) },
    ])
    expect(notes()[0]?.body).toContain(WHY)
    expect(eventsOf(bus.home, 'held')).toHaveLength(3)
    release(bus, allHeld(bus))
    tellHeld(bus, hold('frontend', 'c1'), WHY)
    expect(notes()).toHaveLength(3)
  })
})

test('what is released rings, counts as spoken by the human, and is held no more', () => {
  const { bus, hold } = world()
  const [one, two] = [hold('frontend', 'c1'), hold('backend', 'c1')]
  release(bus, allHeld(bus))
  expect(allHeld(bus)).toEqual([])
  expect(markOf(bus.home, 'frontend', one.id)).toMatchObject({
    ring: 'resumed',
    chain: 'c1',
    why: WHY,
  })
  expect(ringableIds(bus, 'backend')).toEqual([two.id])
  expect(filesIn(bus.home.bell('frontend'))).toContain('ring')
  expect(eventsOf(bus.home, 'resumed').map(({ id }) => id)).toEqual([two.id, one.id])
  release(bus, [])
  expect(eventsOf(bus.home, 'resumed')).toHaveLength(2)
})
