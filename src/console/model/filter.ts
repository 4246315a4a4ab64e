import type { Entry } from '../../chat/live/entry.ts'
import { isHidden } from '../../feed/fold.ts'
import { HUMAN } from '../../message/name.ts'
import type { Room } from './room.ts'

/**
 * What the room shows: everything but who comes and goes and states of tasks, all of one session
 * (`@name`), or one kind.
 */
export type Filter = string

export const EVERYTHING: Filter = 'everything'

/** The filters that there are something for, in the order of the list. */
export function filtersFor({ people, entries }: Room): Filter[] {
  const kinds = entries.flatMap((entry) => (entry.type === 'message' ? kindOf(entry.kind) : []))
  return [EVERYTHING, ...people.map(({ name }) => `@${name}`), ...[...new Set(kinds)].sort()]
}

/** Whether an entry is shown. */
export function shownBy(filter: Filter): (entry: Entry) => boolean {
  if (filter === EVERYTHING) return (entry) => !isHidden(entry)
  if (filter.startsWith('@')) {
    const name = filter.slice(1)
    return (entry) =>
      entry.type === 'message' ? entry.from === name || entry.to === name : entry.about === name
  }
  return (entry) => entry.type === 'message' && kindOf(entry.kind) === filter
}

/** The session that an entry is about: the other side of the human's, else who speaks. */
export function aboutOf(entry: Entry | undefined): string | undefined {
  if (entry === undefined || entry.type === 'notice') return entry?.about
  return entry.from === HUMAN ? entry.to : entry.from
}

/** Without `urgent` and the like before it. */
function kindOf(kind: string): string {
  return kind.slice(kind.lastIndexOf(' ') + 1)
}
