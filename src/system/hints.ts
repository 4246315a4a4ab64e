import { type FSWatcher, watch } from 'node:fs'
import { isErrno } from './errno.ts'

/** A place in which something may change: a directory, and which names matter, if not all. */
export type Place = { directory: string; isOf?: (file: string) => boolean }

/**
 * Calls `onEvent` when something has changed in one of these places. A hint and no promise: where
 * the system gives no events, none come, so whoever waits looks from time to time as well. For a
 * wait that may be short, and of which many may run at once: a watch of `events.ts` has each file
 * of the directory watched, and keeps the process for up to a second after its end. `onTrouble`
 * learns why none come. Gives what ends it.
 */
export function hintOnChanges(
  places: Place[],
  onEvent: () => void,
  onTrouble: (why: string) => void = () => {},
): () => void {
  const watchers = places.flatMap((place) => watcherOf(place, onEvent, onTrouble) ?? [])
  return () => {
    for (const watcher of watchers) watcher.close()
  }
}

function watcherOf(
  { directory, isOf }: Place,
  onEvent: () => void,
  onTrouble: (why: string) => void,
): FSWatcher | undefined {
  try {
    const watcher = watch(directory, { persistent: false }, (_, file) => {
      // Some systems do not say which file it was.
      if (file === null || isOf === undefined || isOf(file)) onEvent()
    })
    watcher.on('error', ({ message }) => {
      watcher.close()
      onTrouble(message)
    })
    return watcher
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ENOSPC', 'EMFILE', 'ENFILE', 'ENOSYS')) {
      onTrouble(error.message)
      return undefined
    }
    throw error
  }
}
