import { unless } from './errno.ts'
import { tryPidLock } from './pidlock.ts'
import type { Processes, ProcessRef } from './processes.ts'
import { timeLeft } from './timeLeft.ts'

/** How long to wait for the holder of a lock, and how often to look. */
const WAIT_MS = 10_000
const LOOK_MS = 10

/**
 * Runs `work` under the pid lock at `path`. Waits up to 10 s, then throws what `busy` makes of the
 * holder. Where the directory of the lock is missing, there is nothing to guard.
 */
export async function underPidLock<T>(
  path: string,
  processes: Processes,
  work: () => T | Promise<T>,
  busy: (holder: ProcessRef) => Error,
): Promise<T> {
  const left = timeLeft(WAIT_MS)
  for (;;) {
    const lock = unless(['ENOENT'], () => tryPidLock(path, processes))
    if (lock === undefined) return work()
    if (typeof lock === 'function') {
      try {
        return await work()
      } finally {
        lock()
      }
    }
    if (left() <= 0) throw busy(lock)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
