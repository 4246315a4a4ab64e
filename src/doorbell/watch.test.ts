import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RUNTIME } from '../../scripts/runtime.mjs'
import type { Bus } from '../bus/bus.ts'
import { findSession, readSessions } from '../bus/names/registry.ts'
import { liveWatcher } from '../session/watcher.ts'
import { watchDirectory } from '../system/events.ts'
import { createWaker } from '../system/waker.ts'
import { DIST } from '../testing/cli.ts'
import { tempBus } from '../testing/home.ts'
import { until } from '../testing/until.ts'
import { stdoutDoorbell } from './bells.ts'
import { ownHold, watchInbox } from './watch.ts'

/** Runs a command to its end while nothing else of this process happens. */
function atOnce({ home }: Bus, ...args: string[]): void {
  const env = { PATH: process.env.PATH, AGENT_CHAT_HOME: home.root }
  const { status, stderr } = spawnSync(RUNTIME, [join(DIST, 'main.js'), ...args], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}: ${stderr}`)
}

/** A watcher in this process; `onRenamed` is run once, at the first new name that it sees. */
function watch(bus: Bus, onRenamed = () => {}) {
  const session = findSession(readSessions(bus.home), 'frontend')
  if (!session) throw new Error('no session')
  const waker = createWaker()
  const watched: string[] = []
  let [stopped, first] = [false, true]
  const ended = watchInbox(
    {
      session,
      doorbell: stdoutDoorbell(() => {}),
      leaveToNative: false,
      stopped: () => stopped,
      hold: ownHold(bus),
    },
    {
      ...{ bus, waker, watchDirectory, paneExists: async () => true },
      log: (name) => watched.push(name),
      onRenamed: async () => {
        if (first) onRenamed()
        first = false
      },
    },
  )
  const stop = () => {
    stopped = true
    waker.wake()
    return ended
  }
  onTestFinished(async () => {
    await stop()
  })
  return { watched, stop, wake: waker.wake }
}

test('a session that is renamed once more while its watcher follows, and whose name in between another one takes', async () => {
  const bus = tempBus(['frontend'])
  const { watched, stop } = watch(bus, () => {
    atOnce(bus, 'rename', 'site', 'page')
    atOnce(bus, 'join', 'site', '--no-watch')
  })
  await until('the watch', () => watched.includes('frontend'))
  atOnce(bus, 'rename', 'frontend', 'site')
  await until('the last name', () => watched.includes('page'))
  expect(liveWatcher(bus, 'page')).toEqual(bus.processes.self())
  expect((await stop()).name).toBe('page')
  expect(liveWatcher(bus, 'site')).toBeUndefined()
})

test('a rename between the looks at the names and at the registry is no reason to end', async () => {
  const real = tempBus(['frontend'])
  let armed = false
  const self = () => {
    if (armed) atOnce(real, 'rename', 'frontend', 'site')
    armed = false
    return real.processes.self()
  }
  const { watched, wake } = watch({ ...real, processes: { ...real.processes, self } })
  await until('the watch', () => watched.includes('frontend'))
  armed = true
  wake()
  await until('the new name', () => watched.includes('site'))
})
