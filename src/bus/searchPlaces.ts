import { statSync } from 'node:fs'
import { idOfFile } from '../message/id.ts'
import { namesIn } from '../system/files.ts'
import type { Home } from './home.ts'
import { inboxNames } from './sweep/entries.ts'

/**
 * Where messages are: the names of the files in the archive, not yet looked at whether they can be a message's, and the paths of those that are
 * not in the archive, by their names.
 */
export type Places = { archived: Set<string>; elsewhere: Map<string, string> }

/** For each directory that messages are in, the archive first, what changes when one comes or goes; undefined where that cannot be told. */
export type Stamps = Map<string, string | undefined>

/** Some disks keep times as coarse as this: what changed so shortly ago may change once more and keep its time. In milliseconds. */
const SETTLED_MS = 3000

/**
 * Lists the archive, and the inboxes for messages that were put there by hand and are in no archive yet, but not the directories of `skip`. This is
 * the one truth of what there is: the history may have been cut, and does not tell of what was put by hand or removed. It takes 0.3 s for 100,000
 * messages, so nothing but searching and exporting may do it.
 */
export function messagePlaces(home: Home, skip: ReadonlySet<string> = new Set()): Places {
  const archived = new Set(namesIn(home.messages))
  const elsewhere = new Map<string, string>()
  for (const directory of inboxDirectories(home)) {
    if (skip.has(directory)) continue
    for (const file of namesIn(directory))
      if (!archived.has(file) && idOfMessageFile(file) !== undefined) elsewhere.set(file, `${directory}/${file}`)
  }
  return { archived, elsewhere }
}

/** The id of a message's file, or undefined where it is none: what is being written has a leading dot. */
export function idOfMessageFile(file: string): string | undefined {
  return file.startsWith('.') ? undefined : idOfFile(file)
}

/** The stamps at `now` (milliseconds since 1970): inode and change time, which, unlike others, nobody can set back. */
export function placeStamps(home: Home, now: number): Stamps {
  const stamps: Stamps = new Map()
  for (const directory of [home.messages, ...inboxDirectories(home)]) {
    const stat = statSync(directory, { bigint: true, throwIfNoEntry: false })
    const settled = stat !== undefined && Math.abs(now - Number(stat.ctimeMs)) > SETTLED_MS
    stamps.set(directory, settled ? `${stat.ino} ${stat.ctimeNs}` : undefined)
  }
  return stamps
}

/** A directory that is not there yet is among them, so that its coming is seen. */
function inboxDirectories(home: Home): string[] {
  return inboxNames(home).flatMap((name) => [home.inbox(name), home.readDirectory(name)])
}
