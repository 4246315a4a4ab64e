import { execFileSync } from 'node:child_process'
import {
  chownSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import type { ProcessRef } from '../system/processes.ts'
import { tempBus } from '../testing/home.ts'
import { leftOut } from '../testing/leftOut.ts'
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

const GONE: ProcessRef = { pid: 4_000_000, started: '00000000-1' }

/** The sessions that could come back, where `@backend` was at work and somebody then did this. */
function endedAfter(act: (bus: Bus, path: string) => void): string[] {
  const bus = tempBus()
  noteLaunch(bus, 'backend', launchOf(GONE))
  act(bus, bus.home.launched('backend'))
  return endedLaunches(bus).map(({ name }) => name)
}

describe('what is not all as it was written is no record', () => {
  const change = (fields: object) => (_: Bus, path: string) =>
    writeFileSync(path, JSON.stringify({ ...launchOf(GONE), ...fields }))

  test('a record that was written by hand as it should be is one', () => {
    expect(endedAfter(change({ args: ['--model', 'opus'], cwd: '/a\nb' }))).toEqual(['backend'])
  })

  test.each<[what: string, fields: object]>([
    ['a NUL in an argument', { args: ['--model', 'opus\0--settings'] }],
    ['a NUL in its folder', { cwd: '/work\0' }],
    ['a NUL in its command', { command: 'codex\0' }],
    ['a NUL in its configuration folder', { config: '/a\0' }],
    ['a folder that depends on where one is', { cwd: 'work' }],
    ['a folder below the person’s home, as a shell writes it', { cwd: '~/work' }],
    ['arguments as one text', { args: '--model opus' }],
    ['an argument that is a list', { args: [['--settings']] }],
    ['a program that is a list', { program: ['claude'] }],
    ['no process', { agent: null }],
    ['a signal that is none', { fell: { code: 1, signal: '\u001b[2J', at: '2026-11-28' } }],
    ['an end at no time', { fell: { code: 1, signal: null, at: '\u001b[2J' } }],
    ['no time', { started: 'then' }],
  ])('%s', (_, fields) => {
    expect(endedAfter(change(fields))).toEqual([])
  })

  test.each<[what: string, act: (path: string) => void]>([
    [
      'a link to a record',
      (path) => {
        renameSync(path, `${path}.other`)
        symlinkSync(`${path}.other`, path)
      },
    ],
    [
      'a directory',
      (path) => {
        rmSync(path)
        mkdirSync(path)
      },
    ],
    [
      'a pipe, which nobody waits for',
      (path) => {
        rmSync(path)
        execFileSync('mkfifo', [path])
      },
    ],
    ['5 MB', (path) => writeFileSync(path, JSON.stringify(launchOf(GONE)).padEnd(5_000_000))],
    ['a torn one', (path) => writeFileSync(path, JSON.stringify(launchOf(GONE)).slice(0, -2))],
  ])('%s', (_, act) => {
    expect(endedAfter((__, path) => act(path))).toEqual([])
  })

  const isRoot = process.getuid?.() === 0
  test('another user’s', leftOut(!isRoot && 'only root can give a file away'), () => {
    expect(endedAfter((_, path) => chownSync(path, 65_534, 65_534))).toEqual([])
  })

  test.each([
    'human',
    'all',
    'agent-chat',
    'resume',
    '-x',
    '9',
    'Backend',
    'a b',
    'a\nb',
    'x'.repeat(33),
  ])('one of %j, which no session is called', (name) => {
    const named = endedAfter(({ home }, path) => renameSync(path, home.launched(name)))
    expect(named).toEqual([])
  })
})
