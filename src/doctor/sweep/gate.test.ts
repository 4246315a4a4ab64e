import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Bus } from '../../bus/bus.ts'
import { putMark } from '../../bus/mail/marks.ts'
import { systemProcesses } from '../../system/processes.ts'
import { filesIn, tempHome } from '../../testing/home.ts'
import { sweepHome } from '../sweep.ts'

/** A process id that nobody has: Linux counts to 4 million at most. */
const NOBODY = 99_999_999

/** A bus whose clock is ahead, so that what happened just now is old enough to be swept. */
function world(): Bus {
  const home = tempHome('frontend')
  chmodSync(home.sessions, 0o600)
  for (const path of [home.gates, home.toldChains]) mkdirSync(path, { mode: 0o700 })
  const now = () => Date.now() + 120_000
  return { home, clock: { now, micros: () => now() * 1000 }, processes: systemProcesses() }
}

test('what a crash leaves of the gate’s own files is mended, and what it remembers stays', async () => {
  const bus = world()
  const { home } = bus
  writeFileSync(home.gate('frontend'), '{}\n', { mode: 0o600 })
  writeFileSync(join(home.toldChains, 'c1'), '', { mode: 0o600 })
  writeFileSync(`${home.gate('frontend')}.${NOBODY}.tmp`, '{', { mode: 0o600 })
  writeFileSync(home.gateLock('frontend'), `${NOBODY} gone\n`, { mode: 0o600 })
  putMark(home, 'frontend', '20261121T033912.123456Z-from-backend', {
    ring: 'held',
    why: 'x',
    chain: 'c',
    at: '2026-11-21T03:39:12Z',
  })
  const states = (await sweepHome(bus, { mend: true })).map(({ state }) => state)
  expect(states.sort()).toEqual(['leftover', 'stale-lock', 'stale-mark'])
  expect(filesIn(home.gates)).toEqual(['frontend.json'])
  expect(filesIn(home.toldChains)).toEqual(['c1'])
  expect(filesIn(home.heldBy('frontend'))).toEqual([])
  expect(await sweepHome(bus, { mend: true })).toEqual([])
})

test('what others may read of it is closed to them', async () => {
  const bus = world()
  const { home } = bus
  writeFileSync(home.paused, '', { mode: 0o644 })
  writeFileSync(home.gate('frontend'), '{}\n', { mode: 0o644 })
  chmodSync(home.gates, 0o755)
  expect((await sweepHome(bus, { mend: true })).map(({ state }) => state)).toEqual(['wrong-mode'])
  for (const [path, mode] of [
    [home.paused, 0o600],
    [home.gate('frontend'), 0o600],
    [home.gates, 0o700],
  ] as const)
    expect([path, statSync(path).mode & 0o777]).toEqual([path, mode])
  expect(existsSync(home.paused)).toBe(true)
})
