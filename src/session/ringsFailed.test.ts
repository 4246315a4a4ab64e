import { describe, expect, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { markRead } from '../bus/mail/inbox.ts'
import { sendMessage } from '../bus/mail/send.ts'
import { isoTime } from '../message/time.ts'
import { fixedClock } from '../testing/clock.ts'
import { tempBus } from '../testing/home.ts'
import { claimRing, giveBackRings, noteSeen, ringsAgain, settleRing, unrungIds } from './rings.ts'
import { readRings } from './ringsFile.ts'
import { nextState, withFailure } from './state.ts'
import { changeState, noteEvent, readState } from './stateFile.ts'

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
const BEGIN = Date.parse('2026-11-28T13:00:00.000Z')

/** A session whose agent is this process, at a time that the test says. */
function world(begin = BEGIN) {
  const clock = fixedClock(isoTime(begin))
  const bus = tempBus(['frontend'], clock)
  const event = () => {
    const at = isoTime(clock.now())
    return { at, session_id: 'one', agent: bus.processes.self() }
  }
  noteEvent(bus, 'frontend', { ...event(), kind: 'started' })
  return {
    bus,
    at: (ms: number) => clock.set(begin + ms),
    send: (priority?: 'urgent') => sent(bus, priority),
    /** Rings for all that may ring; gives the ids. */
    ring: (by = 'native') => {
      const ids = claimRing(bus, 'frontend', by)
      settleRing(bus, 'frontend', by, ids, true)
      return ids
    },
    prompt: () => noteEvent(bus, 'frontend', { ...event(), kind: 'prompted' }),
    /** The turn ends, as its hook notes it. */
    end: (error?: string) => {
      if (error === undefined) giveBackRings(bus, 'frontend', readState(bus.home, 'frontend'))
      changeState(bus, 'frontend', (before) => {
        const next = nextState(before, { ...event(), kind: 'stopped' }) ?? before
        return next && withFailure(next, error, event().at)
      })
    },
    again: () => {
      const time = ringsAgain(bus, 'frontend')
      return time === undefined ? undefined : time - begin
    },
  }
}

function sent(bus: Bus, priority?: 'urgent'): string {
  const extra = priority && { extra: { priority } }
  const draft = { from: 'backend', to: 'frontend', kind: 'note', body: 'ready', ...extra } as const
  return sendMessage(bus, draft).message.id
}

/** A turn that this time begins and ends. */
function turn(here: ReturnType<typeof world>, error?: string): void {
  here.prompt()
  here.end(error)
}

describe('a message whose turn failed', () => {
  test('rings again after 30 s, 2 min, 8 min, and then every half hour', () => {
    const here = world()
    const id = here.send()
    const rings: number[] = []
    for (let ms = 0; ms <= 2 * HOUR; ms += 10 * SECOND) {
      here.at(ms)
      if (here.ring().length === 0) continue
      rings.push(ms)
      turn(here, '529 Overloaded')
    }
    expect(rings.slice(0, 5)).toEqual([
      0,
      30 * SECOND,
      150 * SECOND,
      630 * SECOND,
      630 * SECOND + 30 * MINUTE,
    ])
    expect(rings.filter((ms) => ms < HOUR).length).toBeLessThanOrEqual(8)
    expect(rings.at(-1)).toBe(630 * SECOND + 90 * MINUTE)
    expect(unrungIds(here.bus, 'frontend')).toEqual([])
    markRead(here.bus, 'frontend', id)
    here.at(10 * HOUR)
    expect([here.ring(), here.again()]).toEqual([[], undefined])
  })

  test('rings with all that came meanwhile, one ring at a time', () => {
    const here = world()
    const rings: number[] = []
    let ids: string[] = []
    for (let ms = 0; ms < HOUR; ms += 10 * SECOND) {
      here.at(ms)
      if (ms % (20 * SECOND) === 0) ids = [...ids, here.send()]
      const rung = here.ring()
      if (rung.length === 0) continue
      rings.push(ms)
      // One failure may be chance: what is sent after it rings at once.
      expect(rung).toEqual(rings.length === 2 ? ids.slice(1) : ids)
      here.at(ms + 500)
      turn(here, '529 Overloaded')
    }
    expect(rings.map((ms) => ms / SECOND)).toEqual([0, 20, 150, 640, 2450])
  })

  test('rings once where more comes before its turn begins', () => {
    const here = world()
    here.send()
    here.ring()
    turn(here, '529 Overloaded')
    for (const ms of [SECOND, 30 * SECOND]) {
      here.at(ms)
      here.send()
      expect(here.ring().length).toBeGreaterThan(0)
      here.at(ms + 900)
      here.send()
      expect(here.ring()).toEqual([])
      if (ms === SECOND) here.at(ms + 11 * SECOND)
      if (ms === SECOND) expect(here.ring()).toHaveLength(1)
    }
  })

  test('rings at once when the next turn ends well, and once', () => {
    const here = world()
    const id = here.send()
    here.ring()
    turn(here, '401 Please run /login')
    here.at(10 * SECOND)
    expect([here.ring(), here.again()]).toEqual([[], 30 * SECOND])
    here.prompt()
    expect([here.ring(), here.again()]).toEqual([[], undefined])
    here.end()
    expect(here.again()).toBeUndefined()
    expect(here.ring()).toEqual([id])
    turn(here)
    expect(here.ring()).toEqual([])
  })

  test('is not rung again by the turn of its second ring, which ends well', () => {
    const here = world()
    here.send()
    here.ring()
    turn(here, '529 Overloaded')
    here.at(MINUTE)
    expect(here.ring()).toHaveLength(1)
    turn(here)
    here.at(HOUR)
    expect([here.ring(), here.again()]).toEqual([[], undefined])
  })

  test('waits for the end of a usage limit', () => {
    const here = world()
    const id = here.send()
    here.ring()
    turn(here, "You've hit your session limit · resets 3pm (UTC)")
    expect(here.again()).toBe(2 * HOUR)
    here.at(2 * HOUR - 1)
    expect(here.ring()).toEqual([])
    here.at(2 * HOUR)
    expect(here.ring()).toEqual([id])
  })

  test('a ring that no turn follows keeps nothing back', () => {
    const here = world()
    here.send()
    here.ring()
    turn(here, '529 Overloaded')
    here.at(30 * SECOND)
    here.ring()
    const next = here.send()
    expect([here.ring(), here.again()]).toEqual([[], 40 * SECOND])
    here.at(40 * SECOND)
    expect(here.ring()).toEqual([next])
  })
})

describe('nothing rings again', () => {
  test('that a turn left unread which ended well', () => {
    const here = world()
    here.send()
    here.ring()
    here.at(SECOND)
    turn(here)
    here.at(MINUTE)
    turn(here, '529 Overloaded')
    expect(here.again()).toBeUndefined()
    here.at(HOUR)
    expect(here.ring()).toEqual([])
    turn(here)
    expect(here.ring()).toEqual([])
  })

  test('that the session looked at by itself and kept', () => {
    const here = world()
    const id = here.send()
    here.prompt()
    noteSeen(here.bus, 'frontend', [id])
    here.end('529 Overloaded')
    here.at(HOUR)
    expect([here.ring(), here.again()]).toEqual([[], undefined])
  })

  test.each([
    ['the first time: what is sent after it rings at once', 1, SECOND],
    ['for the second time: what is sent after it waits', 2, 2 * MINUTE],
  ])('where turns of the person alone failed, %s', (_, times, ms) => {
    const here = world()
    for (let one = 0; one < times; one += 1) turn(here, '529 Overloaded')
    expect(here.again()).toBeUndefined()
    here.at(SECOND)
    const id = here.send()
    if (ms > SECOND) expect([here.ring(), here.again()]).toEqual([[], ms])
    here.at(ms)
    expect(here.ring()).toEqual([id])
  })

  test('that came in the turn that failed, before its time', () => {
    const here = world()
    here.prompt()
    const id = here.send()
    here.at(SECOND)
    here.end('529 Overloaded')
    expect([here.ring(), here.again()]).toEqual([[], 31 * SECOND])
    here.at(31 * SECOND)
    expect(here.ring()).toEqual([id])
  })

  test('before a usage limit ends, also what is sent meanwhile', () => {
    const here = world()
    turn(here, "You've hit your session limit · resets 3pm (UTC)")
    here.at(HOUR)
    const id = here.send()
    expect([here.ring(), here.again()]).toEqual([[], 2 * HOUR])
    here.at(2 * HOUR)
    expect(here.ring()).toEqual([id])
  })

  test('after an interrupted turn, which no hook tells of', () => {
    const here = world()
    here.send()
    here.ring()
    here.prompt()
    here.at(HOUR)
    expect([here.ring(), here.again()]).toEqual([[], undefined])
  })

  test('of an agent that is gone', () => {
    const here = world()
    here.send()
    here.ring()
    turn(here, '529 Overloaded')
    const gone = { ...here.bus, processes: { ...here.bus.processes, isAlive: () => false } }
    expect(ringsAgain(gone, 'frontend')).toBeUndefined()
  })
})

test('a message that is urgent rings in a turn, whatever the one before came to', () => {
  const here = world()
  turn(here, '529 Overloaded')
  here.prompt()
  const id = here.send('urgent')
  expect(claimRing(here.bus, 'frontend', 'native', 'urgent')).toEqual([id])
})

test('of thousands that were all rung for, all ring again', () => {
  const here = world(Date.now())
  const ids = Array.from({ length: 501 }, () => here.send())
  here.ring()
  here.at(HOUR)
  expect(here.ring()).toEqual([])
  expect(readRings(here.bus.home, 'frontend').inbox).toBeDefined()
  here.at(HOUR + SECOND)
  turn(here, '529 Overloaded')
  here.at(2 * HOUR)
  expect(here.ring()).toEqual(ids)
})
