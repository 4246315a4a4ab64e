import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ProcessRef } from '../system/processes.ts'
import { tempBus } from '../testing/home.ts'
import { endedLaunches, endedWithMachine, type LaunchRecord, noteLaunch } from './launched.ts'

const DAY_MS = 24 * 3600 * 1000

function launchOf(agent: ProcessRef, server: ProcessRef | null = null): LaunchRecord {
  const how = { program: 'claude', command: null, args: [], config: null }
  return { ...how, cwd: '/', agent, server, started: '2026-11-27T00:00:00.000Z' }
}

test('who ended with the machine, or with its tmux server', () => {
  const bus = tempBus()
  const { pid, started } = bus.processes.self()
  const gone = { pid, started: `${started.slice(0, 8)}-1` }
  const before = { pid, started: '00000000-1' }
  const is = (agent: ProcessRef, server: ProcessRef | null) =>
    endedWithMachine(launchOf(agent, server), bus)
  expect(is(before, null)).toBe(true)
  expect(is(before, { pid, started })).toBe(true)
  expect(is(gone, gone)).toBe(true)
  expect(is(gone, { pid, started })).toBe(false)
  expect(is(gone, null)).toBe(false)
})

test('only its person can read what a session was started with', () => {
  const bus = tempBus()
  noteLaunch(bus, 'backend', launchOf(bus.processes.self()))
  expect(statSync(bus.home.launched('backend')).mode & 0o777).toBe(0o600)
})

test('who ended: an agent that is gone, of a session that nobody has now, within 14 days', () => {
  const bus = tempBus()
  const self = bus.processes.self()
  const gone = { pid: self.pid, started: '00000000-1' }
  for (const name of ['here', 'away', 'taken', 'old', 'almost'])
    noteLaunch(bus, name, launchOf(name === 'here' ? self : gone))
  writeFileSync(bus.home.sessions, JSON.stringify({ taken: { name: 'taken', agent: self } }))
  const ago = (days: number) => (bus.clock.now() - days * DAY_MS) / 1000
  utimesSync(bus.home.launched('old'), ago(14.1), ago(14.1))
  utimesSync(bus.home.launched('almost'), ago(13.9), ago(13.9))
  const now = bus.clock.now() / 1000
  for (const name of ['away', 'taken']) utimesSync(bus.home.launched(name), now, now)
  for (let look = 0; look < 2; look += 1)
    expect(endedLaunches(bus).map(({ name }) => name)).toEqual(['almost', 'away'])
})
