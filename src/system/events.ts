import { watch as watchPath } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type FSWatcher, watch } from 'chokidar'
import { reasonOf } from './errno.ts'

/** A watch on one directory. */
export type DirectoryWatch = { close(): Promise<void> }

/**
 * Calls `onEvent` when something in the directory changes: names only, not in directories below it.
 * Messages come by link and the ring file is rewritten in one step, so nothing waits for a write to
 * finish. `onTrouble` learns that events may be missed.
 */
export function watchDirectory(
  path: string,
  onEvent: () => void,
  onTrouble: (why: string) => void,
): DirectoryWatch {
  const watched = watchNames(path, () => false, onEvent, onTrouble)
  // What came before the watch was ready has made no event.
  watched.watcher.on('ready', onEvent)
  return watched
}

/**
 * As `watchDirectory`, for one file: it may be rewritten, replaced by a new one under its name,
 * removed, and come back. The directory is what is watched, and nothing else in it is looked at.
 */
export function watchOneFile(
  path: string,
  onEvent: () => void,
  onTrouble: (why: string) => void,
): DirectoryWatch {
  const directory = dirname(path)
  const ignored = (other: string) => other !== directory && other !== path
  return watchNames(directory, ignored, onEvent, onTrouble)
}

/**
 * Calls `onName` with the name of what changes in a directory, or with the directory's own where
 * that is moved or removed. For one where much is written that nobody asks for: nothing is listed.
 */
export function watchNamed(
  path: string,
  onName: (name: string) => void,
  onTrouble: (why: string) => void,
): DirectoryWatch {
  const own = basename(path)
  const watcher = watchPath(path, (_, name) => onName(name ?? own))
  watcher.on('error', (error) => onTrouble(reasonOf(error)))
  return { close: async () => watcher.close() }
}

function watchNames(
  directory: string,
  ignored: (path: string) => boolean,
  onEvent: () => void,
  onTrouble: (why: string) => void,
) {
  const options = {
    depth: 0,
    ignored,
    ignoreInitial: true,
    persistent: true,
    followSymlinks: false,
  }
  const watcher = watch(directory, options)
  watcher.on('all', onEvent)
  watcher.on('error', (error) => onTrouble(reasonOf(error)))
  return { watcher, close: () => closed(watcher) }
}

/** The library's own `close` leaves timers that keep the process for up to a second. */
function closed(watcher: FSWatcher): Promise<void> {
  for (const looks of watcher._throttled.values())
    for (const { timeoutObject } of looks.values()) clearTimeout(timeoutObject)
  return watcher.close()
}
