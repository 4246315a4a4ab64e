import { readFileSync, rmSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { isErrno } from '../system/errno.ts'
import { makeDirectory, replaceFileSoon } from '../system/files.ts'
import type { ProcessRef } from '../system/processes.ts'
import { timeLeft } from '../system/timeLeft.ts'

/** How long a watcher that was asked to end may take. */
const END_MS = 3000

/** The watcher that a session's pid file names, or undefined; whether it still runs is another question. */
export function watcherOf(home: Pick<Home, 'pid'>, name: string): ProcessRef | undefined {
  try {
    const [pid = '', started = ''] = readFileSync(home.pid(name), 'utf8').split('\n')
    return /^\d{1,10}$/.test(pid) && started !== '' ? { pid: Number(pid), started } : undefined
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The session's watcher where it runs. A pid that another process has by now is not it: the file names its start, too. */
export function liveWatcher(bus: Bus, name: string): ProcessRef | undefined {
  const ref = watcherOf(bus.home, name)
  return ref && bus.processes.isAlive(ref) ? ref : undefined
}

/** Makes `ref` the session's watcher. One that ran before sees it and ends by itself, also where it cannot be asked to. */
export function claimWatcher(home: Pick<Home, 'pid' | 'pids'>, name: string, ref: ProcessRef): void {
  makeDirectory(home.pids)
  replaceFileSoon(home.pid(name), `${ref.pid}\n${ref.started}\n`)
}

/** Forgets the session's watcher if it is `ref`. */
export function releaseWatcher(home: Pick<Home, 'pid'>, name: string, ref: ProcessRef): void {
  const current = watcherOf(home, name)
  if (current?.pid === ref.pid && current.started === ref.started) rmSync(home.pid(name), { force: true })
}

/**
 * Ends the session's watcher, if one runs, and waits until it has. Only ever signals the very process that the file names, or named when
 * the caller looked: a watcher that ends by itself removes the file a moment before it is gone.
 */
export async function stopWatcher(bus: Bus, name: string, ref = watcherOf(bus.home, name)): Promise<void> {
  if (!ref) return
  const left = timeLeft(END_MS)
  for (let signal: NodeJS.Signals | undefined = 'SIGTERM'; bus.processes.isAlive(ref); signal = undefined) {
    if (signal) bus.processes.signal(ref, signal)
    if (left() <= 0) {
      bus.processes.signal(ref, 'SIGKILL')
      break
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  releaseWatcher(bus.home, name, ref)
}
