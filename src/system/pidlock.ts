import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { isErrno } from './errno.ts'
import { removeFile, writeAll } from './files.ts'
import type { Processes, ProcessRef } from './processes.ts'

/**
 * A lock that dies with its holder: the file names the process that holds it, and one whose process is gone is taken over at once.
 * Returns the release, or the process that holds it now. `path` must stand in a directory that exists.
 */
export function tryPidLock(path: string, processes: Processes): (() => void) | ProcessRef {
  const self = processes.self()
  for (;;) {
    if (claim(path, self)) return () => release(path, self)
    const holder = readHolder(path)
    if (isLive(holder, path, processes)) {
      if (typeof holder === 'object') return holder
      continue
    }
    const other = removeDead(path, processes)
    if (other) return other
  }
}

/** Who holds the lock now; undefined where nobody does or the file does not say. */
export function holderOf(path: string): ProcessRef | undefined {
  const holder = readHolder(path)
  return typeof holder === 'object' ? holder : undefined
}

/** What a lock's file says: `gone` where there is none (any more), `unsaid` where it names nobody (yet). */
type Holder = ProcessRef | 'gone' | 'unsaid'

function readHolder(path: string): Holder {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value)) return 'unsaid'
    const { pid, started } = value
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : 'unsaid'
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return 'gone'
    if (error instanceof SyntaxError) return 'unsaid'
    throw error
  }
}

/** Whether there is nothing to take over: given back just now, held by a process that runs, or made by one that has still to write its name. */
function isLive(holder: Holder, path: string, processes: Pick<Processes, 'isAlive'>): boolean {
  if (typeof holder === 'object') return processes.isAlive(holder)
  return holder === 'gone' || isBeingWritten(path)
}

/** A lock that another took over in the meantime, wrongly or not, is that one's to give back. */
function release(path: string, self: ProcessRef): void {
  const holder = holderOf(path)
  if (holder?.pid === self.pid && holder.started === self.started) removeFile(path)
}

/** Exclusive creation: one process makes the file. It is empty for a moment, which `isBeingWritten` allows for. */
function claim(path: string, self: ProcessRef): boolean {
  let fd: number
  try {
    fd = openSync(path, 'wx', 0o600)
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
  try {
    writeAll(fd, Buffer.from(JSON.stringify(self)))
    return true
  } catch (error) {
    removeFile(path)
    throw error
  } finally {
    closeSync(fd)
  }
}

/** A lock that names nobody is its holder's, who has not written into it yet; unless that takes a second, which no living holder needs. */
function isBeingWritten(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined || Math.abs(Date.now() - stat.mtimeMs) < 1000
}

/**
 * Removes the file of a dead holder, one process at a time, each of which looks again first: another may have taken the lock over since, and its file is
 * not to be touched, not even for a moment. Gives the process that is at it now.
 */
function removeDead(path: string, processes: Processes): ProcessRef | undefined {
  const guard = `${path}.stale`
  if (!claim(guard, processes.self())) {
    const other = readHolder(guard)
    if (!isLive(other, guard, processes)) removeFile(guard)
    else if (typeof other === 'object') return other
    return undefined
  }
  try {
    if (!isLive(readHolder(path), path, processes)) removeFile(path)
  } finally {
    removeFile(guard)
  }
  return undefined
}

/**
 * Runs `work` under a pid lock, waiting for its holder without giving up the thread: for hooks, which have nothing else to do. After
 * `maxWaitMs` it goes on without the lock.
 */
export function withPidLock<T>(path: string, processes: Processes, maxWaitMs: number, work: () => T): T {
  let lock = tryPidLock(path, processes)
  for (let waited = 0; typeof lock !== 'function' && waited < maxWaitMs; waited += LOOK_MS) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS)
    lock = tryPidLock(path, processes)
  }
  try {
    return work()
  } finally {
    if (typeof lock === 'function') lock()
  }
}

const LOOK_MS = 4
