import { idOfFile } from '../../message/id.ts'
import { ring } from '../bell.ts'
import { nameAt, readRenames } from '../names.ts'
import { settleRenames } from '../rename.ts'
import { moveMessages } from '../renameMove.ts'
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
  for (const { from, until, done } of renames) {
    // Another session that has taken the name has its own messages there.
    const to = nameAt(renames, from, Number.POSITIVE_INFINITY)
    if (!done || until !== null || to === from) continue
    const paths = strayIds(sweep, from).map((id) => bus.home.unread(from, id))
    if (paths.length === 0) continue
    await note(sweep, 'astray', { paths, name: to }, () => {
      moveMessages(bus.home, from, to)
      ring(bus.home, to)
    })
  }
}

function strayIds({ bus }: Sweep, name: string): string[] {
  return entriesOf(bus.home.inbox(name))
    .map((entry) => idOfFile(entry.name))
    .filter((id) => id !== undefined)
}
