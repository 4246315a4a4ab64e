import { existsSync, mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { writePidFile } from '../system/pidFile.ts'
import { tryPidLock } from '../system/pidlock.ts'
import { tempBus } from '../testing/home.ts'
import { claimHomeWatcher, endWatcher, watchersNow } from './keepWatcher.ts'
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

test('a watcher that has ended leaves no pid file, also where what rings put it back just before', async () => {
  const [watcher, ringer] = [
    { pid: 900_001, started: '1' },
    { pid: 900_002, started: '2' },
  ]
  const real = tempBus()
  const alive = new Set([watcher.pid, ringer.pid])
  const bus: Bus = {
    ...real,
    processes: {
      ...real.processes,
      isAlive: ({ pid }) => alive.has(pid),
      signal: ({ pid }) => {
        if (pid === ringer.pid) claimHomeWatcher(bus, watcher)
        return alive.delete(pid)
      },
    },
  }
  writePidFile(bus.home.watcherPid, watcher)
  writePidFile(bus.home.ringerPid, ringer)
  await endWatcher(bus, watchersNow(bus))
  expect([...alive]).toEqual([])
  expect(existsSync(bus.home.watcherPid)).toBe(false)
})
