import { createHash } from 'node:crypto'
import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { makeDirectory, namesIn, removeFile, replaceFileSoon } from '../system/files.ts'
import { readJson } from '../system/json.ts'
import type { ProcessRef } from '../system/processes.ts'

/** The last note about a watched file. */
export type LastNote = { id: string; chain: string; hops: number; at: string }

/**
 * One watched file, as `watched/<key>.json` has it: who is told of it, in whose name, since when
 * (ISO 8601), and by which process; null before that has begun.
 */
export type FileWatch = {
  path: string
  notify: string
  from: string
  since: string
  watcher: ProcessRef | null
  last: LastNote | null
}

type WatchedHome = Pick<Home, 'watched' | 'watchedFile'>

/** One file is watched once for each one who is told of it. */
export function watchKey({ path, notify }: Pick<FileWatch, 'path' | 'notify'>): string {
  return createHash('sha256').update(`${path}\0${notify}`).digest('hex').slice(0, 16)
}

/** Every watched file, by its path. */
export function fileWatches(home: WatchedHome): FileWatch[] {
  const keys = namesIn(home.watched).flatMap(
    (file) => /^([0-9a-f]{16})\.json$/.exec(file)?.[1] ?? [],
  )
  const found = keys.map((key) => readFileWatch(home, key)).filter((watch) => watch !== undefined)
  return found.sort((a, b) => (`${a.path} ${a.notify}` < `${b.path} ${b.notify}` ? -1 : 1))
}

export function readFileWatch(home: WatchedHome, key: string): FileWatch | undefined {
  const value = readJson(home.watchedFile(key))
  return isFileWatch(value) ? value : undefined
}

export function writeFileWatch(home: WatchedHome, watch: FileWatch): void {
  makeDirectory(home.watched)
  replaceFileSoon(home.watchedFile(watchKey(watch)), `${JSON.stringify(watch)}\n`)
}

export function forgetFileWatch(home: WatchedHome, watch: FileWatch): void {
  removeFile(home.watchedFile(watchKey(watch)))
}

/** A process that ended, with the machine perhaps, does not come back by itself. */
export function isWatched({ processes }: Pick<Bus, 'processes'>, { watcher }: FileWatch): boolean {
  return watcher !== null && processes.isAlive(watcher)
}

function isFileWatch(value: unknown): value is FileWatch {
  if (typeof value !== 'object' || value === null) return false
  const { path, notify, from, since }: Record<string, unknown> = { ...value }
  return (
    [path, notify, from, since].every((field) => typeof field === 'string') &&
    'watcher' in value &&
    'last' in value
  )
}
