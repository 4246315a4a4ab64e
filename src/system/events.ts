import { watch } from 'chokidar'

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
  return { close: () => watcher.close() }
}
