import { expect, test } from 'vitest'
import { isUp, readSeen } from '../../bus/remote/peers.ts'
import type { PostPorts } from '../../chat/post.ts'
import { tempBus } from '../../testing/home.ts'
import { createPresence } from './presence.ts'

/** A machine of a team, with a clock of its own that is `offMs` ahead of the hour. */
function machine(host: string, offMs = 0) {
  let time = Date.parse('2026-11-21T03:00:00Z') + offMs
  const clock = { now: () => time, micros: () => time * 1000 }
  const bus = tempBus(['backend'], clock)
  const said: string[] = []
  const ports = { bus: () => bus, notice: (text: string) => said.push(text) }
  const me = { host, id: `home-of-${host}` }
  const presence = createPresence({ me, version: '1.0.0' }, ports as unknown as PostPorts)
  const hears = (other: string, text: string) => presence.onTold(other, Buffer.from(text))
  const pass = (ms: number) => {
    time += ms
  }
  return { bus, presence, said, hears, pass }
}

test('two machines learn of each other: sessions, the way and back, and how far the clocks are apart', () => {
  const a = machine('a')
  const b = machine('b', 600_000)
  expect(b.hears('a', a.presence.tell())).toBe(true)
  // b held the word for 2 ms; the rest is the way.
  a.pass(5)
  b.pass(2)
  expect(a.hears('b', b.presence.tell())).toBe(true)
  expect(readSeen(a.bus.home, 'b')).toMatchObject({
    ...{ version: '1.0.0', sessions: [{ name: 'backend' }], roundTripMs: 3, everyMs: 5000 },
    skewMs: expect.closeTo(600_000, -2),
  })
  expect(a.presence.isHere('b')).toBe(true)
  a.pass(15_999)
  expect(a.presence.isHere('b')).toBe(true)
  a.pass(1)
  expect(a.presence.isHere('b')).toBe(false)
})

test('what is no word of that machine, and one that this machine refuses, are not taken', () => {
  const a = machine('a')
  const c = machine('c')
  expect(a.hears('c', 'hello')).toBe(false)
  expect(a.hears('c', '{"f":"ping","at":1}')).toBe(false)
  // The server says whose word it is: another name in it is a lie.
  expect(a.hears('b', c.presence.tell())).toBe(false)
  expect(a.hears('a', a.presence.tell())).toBe(false)
  const late = machine('d', 7_200_000)
  expect(a.hears('d', late.presence.tell())).toBe(false)
  expect(a.hears('d', late.presence.tell())).toBe(false)
  expect(a.said).toEqual([
    expect.stringContaining('the machine calls itself c, and a knows it as b'),
    expect.stringContaining('the two clocks are 120 min apart'),
  ])
})

test('200 machines tell less often, answer by turns, and are here for as long as that takes', () => {
  const a = machine('a')
  const others = Array.from({ length: 200 }, (_, n) => `h${n}`)
  const words = JSON.parse(machine('x').presence.tell())
  for (const host of others)
    expect(a.hears(host, JSON.stringify({ ...words, host, home: host, every: 50_000 }))).toBe(true)
  expect(a.presence.everyMs()).toBe(50_000)
  const answered = new Set<string>()
  for (let time = 0; time < 4; time += 1) {
    const { heard, every } = JSON.parse(a.presence.tell())
    expect(every).toBe(50_000)
    expect(Object.keys(heard).length).toBeLessThanOrEqual(64)
    for (const host of Object.keys(heard)) answered.add(host)
    a.pass(1000)
  }
  expect(answered.size).toBe(200)
  const seen = readSeen(a.bus.home, 'h7')
  expect(seen).toMatchObject({ everyMs: 50_000 })
  expect(isUp(seen && { ...seen, roundTripMs: 2 }, (seen?.at ?? 0) + 150_000)).toBe(true)
  expect(isUp(seen && { ...seen, roundTripMs: 2 }, (seen?.at ?? 0) + 152_000)).toBe(false)
})
