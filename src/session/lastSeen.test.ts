import { utimesSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeDirectory } from '../system/files.ts'
import { fixedClock } from '../testing/clock.ts'
import { tempBus } from '../testing/home.ts'
import { someMessage } from '../testing/message.ts'
import { lastSeen } from './lastSeen.ts'
import { handledCount, noteReads } from './reads.ts'

const AT = (minute: number) => `2026-11-21T03:${String(minute).padStart(2, '0')}:00.000Z`

function world() {
  const clock = fixedClock(AT(0))
  const bus = tempBus(['frontend'], clock)
  const touch = (path: string, minute: number) => {
    writeFileSync(path, '{}')
    utimesSync(path, Date.parse(AT(minute)) / 1000, Date.parse(AT(minute)) / 1000)
  }
  const read = (minute: number) => {
    clock.set(Date.parse(AT(minute)))
    noteReads(bus, 'frontend', [{ message: someMessage(), approved: false }])
  }
  return { bus, touch, read }
}

test('a session that has done nothing was never seen', () => {
  expect(lastSeen(world().bus.home, 'frontend')).toBeUndefined()
})

const TRACES: [traces: { state?: number; gate?: number; read?: number }, minute: number][] = [
  [{ state: 1 }, 1],
  [{ gate: 2 }, 2],
  [{ read: 3 }, 3],
  [{ state: 5, gate: 4, read: 3 }, 5],
  [{ state: 3, gate: 5, read: 4 }, 5],
  [{ state: 3, gate: 4, read: 5 }, 5],
]
test.each(TRACES)('%j: seen at minute %i', (traces, minute) => {
  const { bus, touch, read } = world()
  makeDirectory(bus.home.gates)
  if (traces.state !== undefined) touch(bus.home.state('frontend'), traces.state)
  if (traces.gate !== undefined) touch(bus.home.gate('frontend'), traces.gate)
  if (traces.read !== undefined) read(traces.read)
  expect(lastSeen(bus.home, 'frontend')).toBe(AT(minute))
})

test('to have its messages counted by another is no trace of a session', () => {
  const { bus, touch } = world()
  touch(bus.home.state('frontend'), 1)
  writeFileSync(bus.home.read('frontend', '20261121T033912.123456Z-from-backend'), '')
  expect(handledCount(bus, 'frontend')).toBe(1)
  expect(lastSeen(bus.home, 'frontend')).toBe(AT(1))
})
