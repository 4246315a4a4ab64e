import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { claimRing, ringableIds } from '../../session/rings.ts'
import { startAgent } from '../../testing/agent.ts'
import { filesIn, tempBus } from '../../testing/home.ts'
import type { Bus } from '../bus.ts'
import type { Silent } from './draft.ts'
import { markRead } from './inbox.ts'
import { isSilent, type Mark, markOf, marksOf, putMark } from './marks.ts'
import { sendMessage } from './send.ts'

const bus = () => tempBus(['backend', 'frontend'])

const send = (bus: Bus, silent?: Silent) =>
  sendMessage(bus, {
    from: 'backend',
    to: 'frontend',
    kind: 'reply',
    body: 'x',
    ...(silent && { silent }),
  }).message.id

const mark = (ring: Mark['ring'], more: Partial<Mark> = {}): Mark => {
  return { ring, why: 'x', chain: 'c', at: '2026-11-21T03:39:12.123Z', ...more }
}

describe('an answer that a process waits for', () => {
  test('does not ring while that process lives, and rings once it has ended', async () => {
    const here = bus()
    const { ref, end } = startAgent(here)
    const awaited = send(here, { ring: 'awaited', why: 'it is waited for', waiter: ref })
    expect(filesIn(here.home.bell('frontend'))).toEqual([])
    const other = send(here)
    expect(ringableIds(here, 'frontend')).toEqual([other])
    expect(claimRing(here, 'frontend', 'tmux')).toEqual([other])
    await end()
    expect(ringableIds(here, 'frontend')).toEqual([awaited, other])
    expect(claimRing(here, 'frontend', 'tmux')).toEqual([awaited])
  })

  test('is no longer marked when it was read', () => {
    const here = bus()
    const id = send(here, { ring: 'awaited', why: 'x', waiter: here.processes.self() })
    expect(markOf(here.home, 'frontend', id)).toMatchObject({
      ring: 'awaited',
      waiter: here.processes.self(),
    })
    markRead(here, 'frontend', id)
    expect(marksOf(here.home, 'frontend')).toEqual({})
    expect(ringableIds(here, 'frontend')).toEqual([])
  })

  test('rings where another process has the pid of the one that waited', () => {
    const here = bus()
    const id = send(here, {
      ring: 'awaited',
      why: 'x',
      waiter: { pid: process.pid, started: 'before' },
    })
    expect(ringableIds(here, 'frontend')).toEqual([id])
  })

  test.each([
    undefined,
    null,
    5,
    {},
    { pid: 99_999_999 },
    { started: 'x' },
    { pid: 'x', started: 'x' },
  ])('rings where the mark names %j as its process', (waiter) => {
    const here = bus()
    const id = send(here, { ring: 'quiet', why: 'x' })
    writeFileSync(
      join(here.home.heldBy('frontend'), `${id}.json`),
      JSON.stringify({ ...mark('awaited'), waiter }),
    )
    expect(ringableIds(here, 'frontend')).toEqual([id])
  })
})

describe('a mark', () => {
  test.each([
    [undefined, false],
    [mark('held'), true],
    [mark('quiet'), true],
    [mark('resumed'), false],
    [mark('awaited'), false],
    [mark('awaited', { waiter: { pid: 1, started: 'alive' } }), true],
    [mark('awaited', { waiter: { pid: 1, started: 'dead' } }), false],
    [mark('held', { waiter: { pid: 1, started: 'dead' } }), true],
  ])('%j silences: %j', (held, silent) => {
    expect(isSilent(held, { isAlive: ({ started }) => started === 'alive' })).toBe(silent)
  })

  test.each(['', '{', 'null', '{"ring":"loud","chain":"c"}', '{"ring":"awaited"}'])(
    '%j is none',
    (text) => {
      const here = bus()
      putMark(here.home, 'frontend', 'one', mark('held'))
      writeFileSync(join(here.home.heldBy('frontend'), 'two.json'), text)
      expect(Object.keys(marksOf(here.home, 'frontend'))).toEqual(['one'])
      expect(markOf(here.home, 'frontend', 'two')).toBeUndefined()
    },
  )
})
