import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { ensureInbox } from '../bus/home.ts'
import { fixedClock } from '../testing/clock.ts'
import { tempBus } from '../testing/home.ts'
import { until } from '../testing/until.ts'
import type { Doorbell } from './ringer.ts'
import { watchHome } from './watchHome.ts'

const START = '2026-01-01T00:00:00.000Z'

/** A home with one session, watched by this process; `looks`: how often it has asked for its file. */
function watched() {
  const clock = fixedClock(START)
  const real = tempBus([], clock)
  let looks = 0
  const self = real.processes.self()
  const isAlive: Bus['processes']['isAlive'] = (ref) => {
    if (ref.pid === self.pid) looks += 1
    return real.processes.isAlive(ref)
  }
  const bus = { ...real, processes: { ...real.processes, isAlive } }
  const bob = { name: 'bob', pane: '%1', doorbell: 'auto', joined_at: START }
  const register = () => writeFileSync(bus.home.sessions, JSON.stringify({ bob }))
  register()
  ensureInbox(bus.home, 'bob')
  const rung: string[][] = []
  const doorbell: Doorbell = {
    name: 'tmux',
    ring: async (_, claim) => {
      rung.push(claim())
      return { kind: 'rung' }
    },
  }
  let wake = () => {}
  let ended = false
  const rest = watchHome(
    { watcher: self, doorbellOf: () => ({ doorbell, leaveToNative: false }) },
    {
      bus,
      watchDirectory: (_, onEvent) => {
        wake = onEvent
        return { close: async () => {} }
      },
      ...{ log: () => {}, paneLooker: () => async () => true },
      ...{ onEnded: async () => {}, onStop: () => {}, keepLine: async () => false },
    },
  ).then((sessions) => {
    ended = true
    return sessions
  })
  const message = (n: number) => {
    const id = `20260101T000000.00000${n}Z-from-lead`
    writeFileSync(bus.home.unread('bob', id), `---\nid: ${id}\nfrom: lead\nto: bob\n---\nhello\n`)
    wake()
  }
  /** It has looked at what there is now; a change of the registry wakes it. */
  const hasLooked = async () => {
    const before = looks
    await until('more looks', () => {
      register()
      return ended || looks > before + 4
    })
  }
  const after = (ms: number) => clock.set(Date.parse(START) + ms)
  return { rest, rung, message, hasLooked, after, ended: () => ended }
}

test('a watcher that has just rung stays for what may follow, and rests then', async () => {
  const { rest, rung, message, hasLooked, after, ended } = watched()
  await hasLooked()
  message(1)
  await until('a ring', () => rung.length === 1)
  await hasLooked()
  after(4000)
  message(2)
  await until('the next ring', () => rung.length === 2)
  await hasLooked()
  // By the first ring alone it would rest now.
  after(6000)
  await hasLooked()
  expect(ended()).toBe(false)
  after(10_000)
  expect(await rest).toMatchObject([{ name: 'bob' }])
})
