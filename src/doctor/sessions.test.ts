import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Home } from '../bus/home.ts'
import { readSessions } from '../bus/names/registry.ts'
import { systemClock } from '../system/clock.ts'
import { systemProcesses } from '../system/processes.ts'
import { systemTmux } from '../system/tmux.ts'
import { OFF, project, sessionIn } from '../testing/client.ts'
import { tempHome } from '../testing/home.ts'
import { checkSessions, sweepSessions } from './sessions.ts'
import type { Sweep } from './sweep/finding.ts'

const processes = systemProcesses()
const DEAD = { pid: 99_999_999, started: 'long ago' }

function registerOne(home: Home, fields: Record<string, unknown>): void {
  const session = {
    pane: null,
    tmux_socket: null,
    agent: null,
    joined_at: '2026-11-21T03:39:12.123Z',
    ...fields,
  }
  writeFileSync(home.sessions, JSON.stringify({ backend: session }))
}

function startSweep(home: Home, mend = true): Sweep {
  return { bus: { home, clock: systemClock(), processes }, mend, findings: [] }
}

async function sweptStates(home: Home, started: string[] = [], hasTmux = true): Promise<string[]> {
  const sweep = startSweep(home)
  await sweepSessions(sweep, portsOf(started, hasTmux))
  return sweep.findings.map(({ state, mended }) => `${state}${mended ? '' : ' (not mended)'}`)
}

function portsOf(started: string[], hasTmux: boolean) {
  const startWatcher = () => {
    started.push('the watcher')
    return process.pid
  }
  return { tmux: systemTmux(() => ''), hasTmux, startWatcher }
}

test('a session whose agent has ended leaves; its messages stay', async () => {
  const home = tempHome('backend')
  registerOne(home, { agent: DEAD })
  writeFileSync(home.unread('backend', '20261121T033912.123456Z-from-frontend'), '')
  writeFileSync(home.pid('backend'), `${DEAD.pid}\n${DEAD.started}\n`)
  expect(await sweptStates(home)).toEqual(['agent-ended'])
  expect(readSessions(home)).toEqual({})
  expect(existsSync(home.unread('backend', '20261121T033912.123456Z-from-frontend'))).toBe(true)
  expect(existsSync(home.pid('backend'))).toBe(false)
  expect(await sweptStates(home)).toEqual([])
})

test('a session whose pane is gone is reported with what to type, and stays', async () => {
  const home = tempHome()
  registerOne(home, { pane: '%0', tmux_socket: join(home.root, 'no-such-server') })
  const sweep = startSweep(home)
  await sweepSessions(sweep, portsOf([], true))
  expect(sweep.findings).toMatchObject([
    {
      state: 'pane-gone',
      mended: false,
      what: '@backend is registered, and its pane is gone',
      remedy: 'unregister it with: agent-chat leave backend',
    },
  ])
  expect(Object.keys(readSessions(home))).toEqual(['backend'])
  // Without tmux nobody can tell.
  expect(await sweptStates(home, [], false)).toEqual([])
})

test('a live session whose watcher was killed gets a new one; a session that is not there gets none', async () => {
  const home = tempHome()
  registerOne(home, {
    pane: '%0',
    tmux_socket: join(home.root, 'no-such-server'),
    agent: processes.self(),
  })
  const started: string[] = []
  // The pid is another process's by now: this one's, which must live on.
  writeFileSync(home.pid('backend'), `${process.pid}\nanother start\n`)
  writeFileSync(home.pid('gone'), 'no pid at all')
  const check = () => checkSessions(startSweep(home), portsOf([], true))
  expect((await check()).map(({ name, status }) => [name, status])).toEqual([
    ['sessions', 'ok'],
    ['watcher', 'warning'],
  ])
  expect(await sweptStates(home, started)).toEqual(['watcher-killed', 'watcher-killed'])
  expect(started).toEqual(['the watcher'])
  expect(await sweptStates(home, started)).toEqual([])
  const self = processes.self()
  writeFileSync(home.pid('backend'), `${self.pid}\n${self.started}\n`)
  expect(await sweptStates(home, started)).toEqual([])
  expect((await check()).map(({ name }) => name)).toEqual(['sessions'])
})

test('what a launcher handed over and nobody took is removed after a minute', async () => {
  const home = tempHome()
  const path = join(home.pids, 'backend.0123456789abcdef.launch')
  writeFileSync(path, '{"env":{}}')
  expect(await sweptStates(home)).toEqual([])
  const { mtimeMs } = statSync(path)
  utimesSync(path, mtimeMs / 1000 - 61, mtimeMs / 1000 - 61)
  expect(await sweptStates(home)).toEqual(['stale-handover'])
  expect(existsSync(path)).toBe(false)
})

test('a session whose hooks do not run is named with the reason', async () => {
  const { bus } = await sessionIn(project(OFF), { heard: true })
  const checks = await checkSessions({ bus, mend: false, findings: [] }, portsOf([], false))
  expect(checks).toContainEqual({
    ...{ name: 'settings', status: 'warning' },
    detail: expect.stringMatching(
      /^@front has no guardrails: hooks do not run here: \S+ has disableAllHooks$/,
    ),
    hint: expect.stringContaining('only their senders are shown'),
  })
})
