import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tryPidLock } from '../system/pidlock.ts'
import { tempBus } from '../testing/home.ts'
import { claimHomeWatcher } from './keepWatcher.ts'
import { homeWatcher } from './watcher.ts'

test('a watcher that looks before its starter has named it goes on, and names itself where nobody does', () => {
  const bus = tempBus()
  mkdirSync(bus.home.pids, { recursive: true })
  const self = bus.processes.self()
  const starting = tryPidLock(bus.home.watcherLock, bus.processes)
  expect(claimHomeWatcher(bus, self)).toBe(true)
  expect(homeWatcher(bus)).toBeUndefined()
  if (typeof starting === 'function') starting()
  expect(claimHomeWatcher(bus, self)).toBe(true)
  expect(homeWatcher(bus)).toMatchObject(self)
})
