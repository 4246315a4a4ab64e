import { statSync } from 'node:fs'
import { replaceFileSoon } from './files.ts'
import { withPidLock } from './pidlock.ts'
import type { Processes } from './processes.ts'

/** Processes wait for each other this long, and then go on without the lock. In milliseconds. */
const LOCK_MS = 500

/**
 * Changes a file that can be made again, one process at a time: `work` reads it, and has it
 * replaced, if at all, by one call of `replace`. Whoever was stopped under the lock for so long
 * that others went on without it finds another file at the end; then nothing is replaced, and
 * `work` is done anew.
 */
export function changeFile<T>(
  {
    path,
    lock,
    processes,
    lockMs = LOCK_MS,
  }: { path: string; lock: string; processes: Processes; lockMs?: number },
  work: (replace: (text: string) => void) => T,
): T {
  return withPidLock(lock, processes, lockMs, () => {
    for (;;) {
      const before = stampOf(path)
      let replaced = true
      const result = work((text) => {
        replaced = replaceFileSoon(path, text, () => stampOf(path) === before)
      })
      if (replaced) return result
    }
  })
}

/** Every change gives the file another inode, or at least another time. */
function stampOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.ino} ${stat.mtimeMs} ${stat.size}`
}
