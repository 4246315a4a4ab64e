import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { parseId } from '../../message/id.ts'
import { NAME_PATTERN } from '../../message/name.ts'
import { isErrno } from '../../system/errno.ts'
import type { Home } from '../home.ts'

/** What stands in a directory; nothing where it is not there. */
export function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}

/** A look at a file that follows no link; undefined where it is gone. */
export function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

/** Everyone who has an inbox, registered or not. */
export function inboxNames(home: Pick<Home, 'inboxes'>): string[] {
  return entriesOf(home.inboxes)
    .filter((entry) => entry.isDirectory() && NAME_PATTERN.test(entry.name))
    .map((entry) => entry.name)
}

/** When a message was written, in milliseconds since 1970: by its id, else by its file. */
export function writtenAt(id: string, path: string): number {
  const micros = parseId(id)?.micros
  return micros === undefined ? (statOf(path)?.mtimeMs ?? 0) : micros / 1000
}
