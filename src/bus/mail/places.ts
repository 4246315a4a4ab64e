import { idOfFile } from '../../message/id.ts'
import { namesIn } from '../../system/files.ts'
import type { Home } from '../home.ts'
import { inboxNames } from './inboxes.ts'

/**
 * The path of every message, by its id: the archive, and what was put into an inbox by hand and is
 * in no archive yet. This is the one truth of what there is: the history may have been cut, and
 * does not tell of what was put by hand or removed. It lists every directory, so nothing but
 * searching and exporting may do it.
 */
export function messagePlaces(home: Home): Map<string, string> {
  const places = new Map<string, string>()
  const inboxes = inboxNames(home).flatMap((name) => [home.inbox(name), home.readDirectory(name)])
  for (const directory of [home.messages, ...inboxes])
    for (const file of namesIn(directory)) {
      const id = idOfFile(file)
      if (id !== undefined && !places.has(id)) places.set(id, `${directory}/${file}`)
    }
  return places
}
