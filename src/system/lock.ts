import { dirname } from 'node:path'
import lockfile from 'proper-lockfile'
import { CodedError } from '../errors.ts'
import { isErrno } from './errno.ts'
import { makeDirectory } from './files.ts'

/** A lock whose holder was killed is free again after this long; the library takes 2 s at the least. */
const STALE_MS = 4000

/** Runs `work` while holding the lock on `path`, which need not exist. Waits up to about 15 s, then throws `LOCKED`. */
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

async function acquire(path: string, onCompromised: (error: Error) => void): Promise<() => Promise<void>> {
  try {
    return await lockfile.lock(path, {
      realpath: false,
      stale: STALE_MS,
      update: STALE_MS / 2,
      retries: { retries: 300, factor: 1.2, minTimeout: 5, maxTimeout: 60, randomize: true },
      // Without this the library throws from a timer when its directory vanishes.
      onCompromised,
    })
  } catch (error) {
    if (!isErrno(error, 'ELOCKED')) throw error
    throw new CodedError('LOCKED', `${path} stayed locked by another process`, {
      hint: 'try again; if it stays so, agent-chat doctor says who holds it',
      cause: error,
    })
  }
}

function ignoreLost(error: unknown): void {
  if (!isErrno(error, 'ERELEASED', 'ENOTACQUIRED', 'ENOENT')) throw error
}
