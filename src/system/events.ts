import { dirname } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'

/** A watch on one directory. `degraded` is set where file events cannot be had, and says why. */
export type DirectoryWatch = { close(): Promise<void> }

/**
 * Calls `onEvent` when something in the directory changes: names only, not in directories below it. Messages come by link and the
 * ring file is rewritten in one step, so nothing waits for a write to finish. `onTrouble` learns that events may be missed.
 */
export function watchDirectory(path: string, onEvent: () => void, onTrouble: (why: string) => void): DirectoryWatch {
  const watcher = watch(path, { depth: 0, ignoreInitial: true, persistent: true, followSymlinks: false })
  watcher.on('all', onEvent)
  // What came before the watch was ready has made no event.
  watcher.on('ready', onEvent)
  watcher.on('error', (error) => onTrouble(error instanceof Error ? error.message : String(error)))
  return { close: () => closed(watcher) }
}

/**
 * As `watchDirectory`, for one file: it may be rewritten, replaced by a new one under its name, removed, and come back. The directory is what is watched, and nothing
 * else in it is looked at.
 */
export function watchOneFile(path: string, onEvent: () => void, onTrouble: (why: string) => void): DirectoryWatch {
  const directory = dirname(path)
  const ignored = (other: string) => other !== directory && other !== path
  const watcher = watch(directory, { depth: 0, ignored, ignoreInitial: true, persistent: true, followSymlinks: false })
  watcher.on('all', onEvent)
  watcher.on('error', (error) => onTrouble(error instanceof Error ? error.message : String(error)))
  return { close: () => closed(watcher) }
}

/** The library's own `close` leaves timers running that space out its looks: they would keep the process for up to a second. */
function closed(watcher: FSWatcher): Promise<void> {
  for (const looks of watcher._throttled.values())
    for (const { timeoutObject } of looks.values()) clearTimeout(timeoutObject)
  return watcher.close()
}
