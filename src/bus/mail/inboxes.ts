import { lstatSync } from 'node:fs'
import { parseId } from '../../message/id.ts'
import { NAME_PATTERN } from '../../message/name.ts'
import { entriesIn } from '../../system/files.ts'
import type { Home } from '../home.ts'

/** Everyone who has an inbox, registered or not. */
export function inboxNames(home: Pick<Home, 'inboxes'>): string[] {
  return entriesIn(home.inboxes)
    .filter((entry) => entry.isDirectory() && NAME_PATTERN.test(entry.name))
    .map(({ name }) => name)
}

/** When a message was written, in milliseconds since 1970: by its id, else by its file. */
export function writtenAt(id: string, path: string): number {
  const micros = parseId(id)?.micros
  return micros === undefined
    ? (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    : micros / 1000
}
