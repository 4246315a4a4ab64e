import type { Home } from '../home.ts'
import { type Mark, marksOf } from './marks.ts'
import { unreadFiles } from './unread.ts'

/**
 * The names of the files in an inbox, in the order in which they are read: urgent ones first, those
 * that wait for the next look last, each of these by id. The marks tell, so that no message need be
 * opened.
 */
export function filesInOrder(
  home: Pick<Home, 'inbox' | 'held' | 'heldBy'>,
  name: string,
): string[] {
  const files = unreadFiles(home, name)
  const marks = files.length < 2 ? {} : marksOf(home, name)
  // Hardly any inbox has marks, and a large one takes long to sort twice.
  if (Object.keys(marks).length === 0) return files
  const placed = files.map((file) => ({
    file,
    place: placeOf(marks[file.slice(0, -'.md'.length)]),
  }))
  return placed.sort((a, b) => a.place - b.place).map(({ file }) => file)
}

function placeOf(mark: Mark | undefined): number {
  if (mark?.ring === 'urgent') return 0
  return mark?.ring === 'quiet' ? 2 : 1
}
