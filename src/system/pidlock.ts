import { linkSync, writeFileSync } from 'node:fs'
import { isErrno } from './errno.ts'
import { hasNoLinks, isThere, removeFile } from './files.ts'
import { readJson } from './json.ts'
import { isProcessRef, type Processes, type ProcessRef, sameProcess } from './processes.ts'
import { pause } from './timeLeft.ts'

/**
 * A lock that dies with its holder: the file names the process that holds it, and one whose process
 * is gone is taken over at once. Returns the release, or the process that holds it now. `path` must
 * stand in a directory that exists.
 */
export function tryPidLock(path: string, processes: Processes): (() => void) | ProcessRef {
  const self = processes.self()
  for (;;) {
    if (claim(path, self)) return () => release(path, self)
    const holder = readHolder(path)
    if (holder === 'gone') continue
    if (isLive(holder, processes)) return holder
    const other = removeDead(path, processes)
    if (other) return other
  }
}

/** Who holds the lock now; undefined where nobody does or the file does not say. */
export function holderOf(path: string): ProcessRef | undefined {
  const holder = readHolder(path)
  return holder === 'gone' ? undefined : holder
}

/** As `holderOf`, while that process lives. */
export function liveHolder(
  path: string,
  processes: Pick<Processes, 'isAlive'>,
): ProcessRef | undefined {
  const holder = holderOf(path)
  return isLive(holder, processes) ? holder : undefined
}

/** What a lock's file says: `gone` where there is none, undefined where it names nobody. */
function readHolder(path: string): ProcessRef | 'gone' | undefined {
  const value = readJson(path)
  if (value === undefined) return 'gone'
  return isProcessRef(value) ? value : undefined
}

function isLive(
  holder: ProcessRef | undefined,
  processes: Pick<Processes, 'isAlive'>,
): holder is ProcessRef {
  return holder !== undefined && processes.isAlive(holder)
}

/** A lock that another took over in the meantime, wrongly or not, is that one's to give back. */
function release(path: string, self: ProcessRef): void {
  if (sameProcess(holderOf(path), self)) removeFile(path)
}

/** Makes the file, unless it is there. It has its name last: whoever sees it reads its holder. */
function claim(path: string, self: ProcessRef): boolean {
  const temporary = `${path}.${self.pid}.tmp`
  // One that a dead process of this number left may be a second name of the lock itself.
  if (isThere(temporary)) removeFile(temporary)
  try {
    writeFileSync(temporary, JSON.stringify(self), { flag: 'wx', mode: 0o600 })
    linkSync(temporary, path)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    if (!hasNoLinks(error)) throw error
    return claimWithoutLinks(path, self)
  } finally {
    removeFile(temporary)
  }
}

/**
 * The file is empty for a moment. Whoever looks in this moment takes it for a dead holder's and
 * removes it, so its maker looks whether it is still there.
 */
function claimWithoutLinks(path: string, self: ProcessRef): boolean {
  try {
    writeFileSync(path, JSON.stringify(self), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    removeFile(path)
    throw error
  }
  return sameProcess(holderOf(path), self)
}

/**
 * Removes the file of a dead holder, one process at a time, each of which looks again first:
 * another may have taken the lock over since, and its file is not to be touched, not even for a
 * moment. Gives the process that is at it now.
 */
function removeDead(path: string, processes: Processes): ProcessRef | undefined {
  const guard = `${path}.stale`
  if (!claim(guard, processes.self())) {
    const other = readHolder(guard)
    if (other === 'gone') return undefined
    if (isLive(other, processes)) return other
    // Two processes that both find the guard of a dead one may each remove it, the second one that
    // of the first; two are at it then. It takes a second death within the same few microseconds.
    removeFile(guard)
    return undefined
  }
  try {
    const holder = readHolder(path)
    if (holder !== 'gone' && !isLive(holder, processes)) removeFile(path)
  } finally {
    removeFile(guard)
  }
  return undefined
}

/**
 * Runs `work` under a pid lock, waiting for its holder without giving up the thread: for hooks,
 * which have nothing else to do. After `maxWaitMs` it goes on without the lock.
 */
export function withPidLock<T>(
  path: string,
  processes: Processes,
  maxWaitMs: number,
  work: () => T,
): T {
  let lock = tryPidLock(path, processes)
  for (let waited = 0; typeof lock !== 'function' && waited < maxWaitMs; waited += LOOK_MS) {
    pause(LOOK_MS)
    lock = tryPidLock(path, processes)
  }
  try {
    return work()
  } finally {
    if (typeof lock === 'function') lock()
  }
}

const LOOK_MS = 4
