import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isoTime } from '../message/time.ts'
import type { WorkerState } from '../session/workerState.ts'
import { makeDirectory, replaceFileSoon } from '../system/files.ts'
import { register, tempBus } from '../testing/home.ts'
import { openChanges } from './changes.ts'

/** A home whose processes are these alone, at this time of a day. */
function world() {
  const real = tempBus(['backend'])
  const here = new Set([1, 2])
  let now = new Date(2026, 10, 21, 23, 59).getTime()
  const bus = {
    ...real,
    clock: { ...real.clock, now: () => now },
    processes: { ...real.processes, isAlive: ({ pid }: { pid: number }) => here.has(pid) },
  }
  makeDirectory(bus.home.workers)
  const worker = (fields: Partial<WorkerState>) => {
    const process = { pid: 2, started: 'then' }
    const state = { name: 'coder', activity: 'idle', started: '', process, ...fields }
    replaceFileSoon(bus.home.worker('coder'), JSON.stringify(state))
  }
  worker({ beat: isoTime(now) })
  const later = (ms: number) => {
    now += ms
  }
  const changed = openChanges(bus)
  expect([changed(), changed()]).toEqual([true, false])
  return { bus, worker, changed, later, here }
}

test('a sign of life of a worker is no change; what it does and what it has cost is', () => {
  const { bus, worker, changed, later } = world()
  later(30_000)
  worker({ beat: 'later' })
  expect(changed()).toBe(false)
  worker({ beat: 'later', activity: 'busy' })
  expect([changed(), changed()]).toEqual([true, false])
  writeFileSync(bus.home.workerCosts('coder'), '{}\n')
  expect([changed(), changed()]).toEqual([true, false])
})

test('a process that ended without a word, a new day, and another registry are changes', () => {
  const { bus, changed, later, here } = world()
  here.delete(2)
  expect([changed(), changed()]).toEqual([true, false])
  later(60_000)
  expect([changed(), changed()]).toEqual([true, false])
  later(60_000)
  expect(changed()).toBe(false)
  register(bus.home, 'backend', 'a-new-one')
  expect([changed(), changed()]).toEqual([true, false])
})

test('where only tmux knows whether somebody is here, anything may have changed at any time', () => {
  const { bus, changed } = world()
  const session = { name: 'backend', pane: '%1', tmux_socket: '/s', joined_at: '' }
  replaceFileSoon(bus.home.sessions, JSON.stringify({ backend: session }))
  expect([changed(), changed(), changed()]).toEqual([true, true, true])
})

test('what an agent asks before its hooks tell of it may be there at any time', () => {
  const { bus, changed } = world()
  const agent = { pid: 2, started: 'then' }
  const session = { name: 'docs', pane: '%1', tmux_socket: '/s', joined_at: '', agent }
  const register = (native: boolean) =>
    replaceFileSoon(bus.home.sessions, JSON.stringify({ docs: { ...session, native } }))
  register(true)
  expect([changed(), changed(), changed()]).toEqual([true, true, true])
  register(false)
  expect([changed(), changed()]).toEqual([true, false])
})
