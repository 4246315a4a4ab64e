import { closeSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs'
import { isErrno } from './errno.ts'
import { removeFile } from './files.ts'
import type { Processes, ProcessRef } from './processes.ts'

/**
 * A lock that dies with its holder: the file names the process that holds it, and one whose process is gone is taken over at once.
 * Returns the release, or the process that holds it now. `path` must stand in a directory that exists.
 */
export function tryPidLock(path: string, processes: Processes): (() => void) | ProcessRef {
  const self = processes.self()
  for (;;) {
    if (claim(path, self)) return () => release(path, self)
    const holder = holderOf(path)
    if (holder && processes.isAlive(holder)) return holder
    if (holder === undefined && isBeingWritten(path)) continue
    breakStale(path, holder, self)
  }
}

/** Who holds the lock now; undefined where nobody does or the file does not say. */
export function holderOf(path: string): ProcessRef | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value)) return undefined
    const { pid, started } = value
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined
  } catch (error) {
    if (isErrno(error, 'ENOENT') || error instanceof SyntaxError) return undefined
    throw error
  }
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
    writeSync(fd, JSON.stringify(self))
    return true
  } catch (error) {
    removeFile(path)
    throw error
  } finally {
    closeSync(fd)
  }
}

/** An empty lock is its holder's, who has not written into it yet; unless that takes a second, which no living holder needs. */
function isBeingWritten(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.size === 0 && Math.abs(Date.now() - stat.mtimeMs) < 1000
}

/** Moves a dead holder's file away. Should another have taken the lock in between, its file is put back. */
function breakStale(path: string, dead: ProcessRef | undefined, self: ProcessRef): void {
  const aside = `${path}.${self.pid}.stale`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return
    throw error
  }
  const moved = holderOf(aside)
  if (moved && (moved.pid !== dead?.pid || moved.started !== dead.started)) claim(path, moved)
  removeFile(aside)
}

/**
 * Runs `work` under a pid lock, waiting for its holder without giving up the thread: for hooks, which have nothing else to do. After
 * `maxWaitMs` it goes on without the lock.
 */
export function withPidLock<T>(path: string, processes: Processes, maxWaitMs: number, work: () => T): T {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  let lock = tryPidLock(path, processes)
  for (let waited = 0; typeof lock !== 'function' && waited < maxWaitMs; waited += LOOK_MS) {
    Atomics.wait(cell, 0, 0, LOOK_MS)
    lock = tryPidLock(path, processes)
  }
  try {
    return work()
  } finally {
    if (typeof lock === 'function') lock()
  }
}

const LOOK_MS = 4
