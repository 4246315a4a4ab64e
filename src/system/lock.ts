import { rmdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import lockfile from 'proper-lockfile'
import { CodedError } from '../errors.ts'
import { isErrno, unless } from './errno.ts'
import { makeDirectory } from './files.ts'
import { tryPidLock } from './pidlock.ts'
import { systemProcesses } from './processes.ts'
import { timeLeft } from './timeLeft.ts'

/** The lock of a killed holder is free after this long. One at work touches it twice as often. */
const STALE_MS = 4000

/** How long to wait for a lock, and how often to look, in milliseconds. */
const WAIT_MS = 15_000
const LOOK_MS = 15

/** Runs `work` under the lock on `path`. Waits up to 15 s, then throws `LOCKED`. */
export async function withLock<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  makeDirectory(dirname(path))
  let compromised: Error | undefined
  const release = await acquire(path, (error) => {
    compromised = error
  })
  try {
    return await work()
  } finally {
    // A lock that was lost cannot be released. A rename ended the work: the file is whole.
    if (!compromised) await release().catch(ignoreLost)
  }
}

/** The library would try again after any error; only a lock that another holds is worth it. */
async function acquire(
  path: string,
  onCompromised: (error: Error) => void,
): Promise<() => Promise<void>> {
  const left = timeLeft(WAIT_MS)
  const passOver = abandonedLock(`${path}.lock`)
  for (;;) {
    try {
      // Without `onCompromised` the library throws from a timer when its directory vanishes.
      return await lockfile.lock(path, {
        realpath: false,
        // Of two that take over a stale lock, the library's later one removes that of the first.
        stale: Number.POSITIVE_INFINITY,
        update: STALE_MS / 2,
        retries: 0,
        onCompromised,
      })
    } catch (error) {
      if (!isErrno(error, 'ELOCKED')) throw error
      if (left() < 0) throw stayedLocked(path, error)
      passOver()
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS + Math.random() * LOOK_MS))
  }
}

/**
 * Removes the lock of a holder that was killed. One that lives touches its lock, so a lock is
 * abandoned where that was long ago by the clock, or, where the clock was set back meanwhile, where
 * it was not touched while this process has looked on for so long.
 */
function abandonedLock(lock: string): () => void {
  let touched: number | undefined
  let fresh = timeLeft(STALE_MS)
  return () => {
    const now = touchedAt(lock)
    if (now !== touched) fresh = timeLeft(STALE_MS)
    touched = now
    if (now !== undefined && (Date.now() - now > STALE_MS || fresh() < 0))
      removeUntouched(lock, now)
  }
}

/** One process at a time, each of which looks again first: it may be another's by now. */
function removeUntouched(lock: string, touched: number): void {
  const guard = tryPidLock(`${lock}.stale`, systemProcesses())
  if (typeof guard !== 'function') return
  try {
    if (touchedAt(lock) === touched) unless(['ENOENT'], () => rmdirSync(lock))
  } finally {
    guard()
  }
}

function touchedAt(lock: string): number | undefined {
  return statSync(lock, { throwIfNoEntry: false })?.mtimeMs
}

function stayedLocked(path: string, cause: unknown): CodedError {
  return new CodedError('LOCKED', `${path} is locked by another process`, {
    hint: 'try again; to see which process holds it: agent-chat doctor',
    cause,
  })
}

function ignoreLost(error: unknown): void {
  if (!isErrno(error, 'ERELEASED', 'ENOTACQUIRED', 'ENOENT')) throw error
}
