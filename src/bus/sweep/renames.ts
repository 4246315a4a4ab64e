import { idOfFile } from '../../message/id.ts'
import { ring } from '../bell.ts'
import { readMessageFile } from '../inbox.ts'
import { isBeingRenamed, nameAt, nameNow, readRenames, timeOfId } from '../names.ts'
import { settleRenames } from '../rename.ts'
import { moveUnread } from '../renameMove.ts'
import { entriesOf } from './entries.ts'
import { note, type Sweep } from './finding.ts'

/** Does the rest of renames whose process has ended, and brings what was delivered under an old name to the session that had it. */
export async function sweepRenames(sweep: Sweep): Promise<void> {
  const { bus } = sweep
  for (const { to, done } of readRenames(bus.home)) {
    if (!done)
      await note(sweep, 'half-renamed', { paths: [bus.home.names], name: to }, () => settleRenames(bus, () => {}))
  }
  const renames = readRenames(bus.home)
  for (const from of new Set(renames.map((rename) => rename.from))) {
    if (isBeingRenamed(bus.home, from)) continue
    for (const [to, ids] of straysOf(sweep, from)) {
      const paths = ids.map((id) => bus.home.unread(from, id))
      await note(sweep, 'astray', { paths, name: to }, () => {
        for (const id of ids) moveUnread(bus.home, from, to, id)
        ring(bus.home, to)
      })
    }
  }
}

/** What stands in the inbox of a name and is another's, by the name that this one has now: all where nobody else has taken the name, else what was written to it before. */
function straysOf({ bus: { home } }: Sweep, name: string): Map<string, string[]> {
  const renames = readRenames(home)
  const now = nameNow(home, name)
  const strays = new Map<string, string[]>()
  for (const id of entriesOf(home.inbox(name)).map((entry) => idOfFile(entry.name))) {
    if (id === undefined) continue
    const then = nameAt(renames, name, timeOfId(id))
    // Who has the name may have brought older messages along, to names of its own.
    const to = now !== name ? now : then !== name && isTo(home.unread(name, id), id, name) ? then : name
    if (to !== name) strays.set(to, [...(strays.get(to) ?? []), id])
  }
  return strays
}

function isTo(path: string, id: string, name: string): boolean {
  const message = readMessageFile(path, `${id}.md`)
  return typeof message === 'object' && message.to === name
}
