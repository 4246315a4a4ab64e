import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tempBus } from '../testing/home.ts'
import { claimWatcher, liveWatcher, releaseWatcher, stopWatcher, watcherOf } from './watcher.ts'

/** A process of its own that stays, also when asked to end where `stubborn`. */
async function somebody(bus: ReturnType<typeof tempBus>, stubborn = false) {
  const code = `${stubborn ? "process.on('SIGTERM', () => {});" : ''} setInterval(() => {}, 1e6); console.log('ready')`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'] })
  const exit = once(child, 'exit')
  await once(child.stdout, 'data')
  const { started = '' } = bus.processes.find(child.pid ?? 0) ?? {}
  return { ref: { pid: child.pid ?? 0, started }, exit, end: () => child.kill('SIGKILL') }
}

test('the watcher of a session is ended, and its file goes with it', async () => {
  const bus = tempBus(['frontend'])
  const { ref, exit } = await somebody(bus)
  claimWatcher(bus.home, 'frontend', ref)
  expect(liveWatcher(bus, 'frontend')).toEqual(ref)
  await stopWatcher(bus, 'frontend')
  expect(await exit).toEqual([null, 'SIGTERM'])
  expect(existsSync(bus.home.pid('frontend'))).toBe(false)
})

test('one that does not end when asked is ended all the same', async () => {
  const bus = tempBus(['frontend'])
  const { ref, exit } = await somebody(bus, true)
  claimWatcher(bus.home, 'frontend', ref)
  await stopWatcher(bus, 'frontend')
  expect(await exit).toEqual([null, 'SIGKILL'])
})

test('a stranger with the pid of an old watcher is left in peace', async () => {
  const bus = tempBus(['frontend'])
  const { ref, exit, end } = await somebody(bus)
  claimWatcher(bus.home, 'frontend', { ...ref, started: 'before' })
  expect(liveWatcher(bus, 'frontend')).toBeUndefined()
  await stopWatcher(bus, 'frontend')
  expect(bus.processes.isAlive(ref)).toBe(true)
  expect(existsSync(bus.home.pid('frontend'))).toBe(false)
  end()
  expect(await exit).toEqual([null, 'SIGKILL'])
})

test.each(['', '1', '\n', '1\n', '-1\nx\n', 'abc\nx\n', '99999999999\nx\n'])(
  'a pid file that says %j names nobody',
  async (text) => {
    const bus = tempBus(['frontend'])
    writeFileSync(bus.home.pid('frontend'), text)
    expect(watcherOf(bus.home, 'frontend')).toBeUndefined()
    await stopWatcher(bus, 'frontend')
  },
)

test('a watcher forgets itself, and nobody else', () => {
  const bus = tempBus(['frontend'])
  claimWatcher(bus.home, 'frontend', { pid: 7, started: 'x' })
  releaseWatcher(bus.home, 'frontend', { pid: 7, started: 'y' })
  expect(watcherOf(bus.home, 'frontend')).toEqual({ pid: 7, started: 'x' })
  releaseWatcher(bus.home, 'frontend', { pid: 7, started: 'x' })
  expect(watcherOf(bus.home, 'frontend')).toBeUndefined()
})
