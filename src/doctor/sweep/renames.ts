import { ring } from '../../bus/mail/bell.ts'
import { messageAt } from '../../bus/mail/inbox.ts'
import { isBeingRenamed, nameAt, nameNow, readRenames } from '../../bus/names/names.ts'
import { settleRenames } from '../../bus/names/rename.ts'
import { moveUnread } from '../../bus/names/renameMove.ts'
import { idOfFile, timeOfId } from '../../message/id.ts'
import { entriesIn } from '../../system/files.ts'
import { note, type Sweep } from './finding.ts'

/** Ends renames whose process has ended, and moves what was delivered under an old name since. */
export async function sweepRenames(sweep: Sweep): Promise<void> {
  const { bus } = sweep
  for (const { to, done } of readRenames(bus.home)) {
    if (!done)
      await note(sweep, 'half-renamed', { paths: [bus.home.names], name: to }, () =>
        settleRenames(bus),
      )
  }
  const renames = readRenames(bus.home)
  for (const from of new Set(renames.map((rename) => rename.from))) {
    if (isBeingRenamed(bus.home, from)) continue
    for (const [to, ids] of straysOf(sweep, from)) {
      const paths = ids.map((id) => bus.home.unread(from, id))
      await note(sweep, 'astray', { paths, name: to }, () => {
        for (const id of ids) moveUnread(bus.home, from, to, id)
        ring(bus, to)
      })
    }
  }
}

/** What is in the inbox of a name and belongs to another, by the name that this one has now. */
function straysOf({ bus: { home } }: Sweep, name: string): Map<string, string[]> {
  const renames = readRenames(home)
  const now = nameNow(home, name)
  const strays = new Map<string, string[]>()
  for (const id of entriesIn(home.inbox(name)).map((entry) => idOfFile(entry.name))) {
    if (id === undefined) continue
    const then = nameAt(renames, name, timeOfId(id))
    // Who has the name may have brought older messages along, to names of its own.
    const to =
      now !== name
        ? now
        : then !== name && messageAt(home.unread(name, id), id)?.to === name
          ? then
          : name
    if (to !== name) strays.set(to, [...(strays.get(to) ?? []), id])
  }
  return strays
}
