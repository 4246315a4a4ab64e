import { rmdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import lockfile from 'proper-lockfile'
import { CodedError } from '../errors.ts'
import { isErrno } from './errno.ts'
import { makeDirectory } from './files.ts'
import { tryPidLock } from './pidlock.ts'
import { systemProcesses } from './processes.ts'

/** A lock whose holder was killed is free again after this long. A holder at work touches it twice as often. */
const STALE_MS = 4000

/** How long to wait for a lock, and how often to look, in milliseconds. */
const WAIT_MS = 15_000
const LOOK_MS = 15

/** Runs `work` while holding the lock on `path`, which need not exist. Waits up to 15 s, then throws `LOCKED`. */
export async function withLock<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  makeDirectory(dirname(path))
  let compromised: Error | undefined
  const release = await acquire(path, (error) => {
    compromised = error
  })
  try {
    const result = await work()
    return result
  } finally {
    // A lock that was lost meanwhile cannot be released; the work was done under a rename, so the file is whole either way.
    if (!compromised) await release().catch(ignoreLost)
  }
}

/** The library would try again after any error, for example on a read-only disk; only a lock that another holds is worth waiting for. */
async function acquire(path: string, onCompromised: (error: Error) => void): Promise<() => Promise<void>> {
  const deadline = performance.now() + WAIT_MS
  for (;;) {
    try {
      // Without `onCompromised` the library throws from a timer when its directory vanishes.
      return await lockfile.lock(path, {
        realpath: false,
        // The library would take over a stale lock without looking again: of two that do, the later removes the lock that the first has just taken.
        stale: Number.POSITIVE_INFINITY,
        update: STALE_MS / 2,
        retries: 0,
        onCompromised,
      })
    } catch (error) {
      if (!isErrno(error, 'ELOCKED')) throw error
      if (performance.now() > deadline) throw stayedLocked(path, error)
      removeStale(`${path}.lock`)
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS + Math.random() * LOOK_MS))
  }
}

/** Removes the lock of a holder that was killed: one process at a time, each of which looks again first. */
function removeStale(lock: string): void {
  if (!isStale(lock)) return
  const guard = tryPidLock(`${lock}.stale`, systemProcesses())
  if (typeof guard !== 'function') return
  try {
    if (isStale(lock)) rmdirSync(lock)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  } finally {
    guard()
  }
}

function isStale(lock: string): boolean {
  const stat = statSync(lock, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > STALE_MS
}

function stayedLocked(path: string, cause: unknown): CodedError {
  return new CodedError('LOCKED', `${path} stayed locked by another process`, {
    hint: 'try again; if it stays so, agent-chat doctor says who holds it',
    cause,
  })
}

function ignoreLost(error: unknown): void {
  if (!isErrno(error, 'ERELEASED', 'ENOTACQUIRED', 'ENOENT')) throw error
}
