import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ring } from '../../bus/mail/bell.ts'
import { dropMark, isSilent, type Mark, markedNames, marksOf } from '../../bus/mail/marks.ts'
import { placeFor } from '../../bus/mail/place.ts'
import { GRACE_MS, note, type Sweep } from './finding.ts'

/**
 * Drops the marks of messages that are unread no more: their reader ended before it could, or their
 * sender before it had sent. And those of answers that no command waits for any longer, which ring
 * from then on.
 */
export async function sweepMarks(sweep: Sweep): Promise<void> {
  const { home, clock } = sweep.bus
  for (const name of markedNames(home)) {
    for (const [id, mark] of Object.entries(marksOf(home, name))) {
      // A sender marks a message before it delivers it.
      if (clock.now() - Date.parse(mark.at) >= GRACE_MS) await sweepMark(sweep, name, id, mark)
    }
  }
}

async function sweepMark(sweep: Sweep, name: string, id: string, mark: Mark): Promise<void> {
  const { home, processes } = sweep.bus
  const found = { paths: [join(home.heldBy(name), `${id}.json`)], name }
  if (!existsSync(placeFor(home, { to: name, id })))
    return note(sweep, 'stale-mark', found, () => dropMark(home, name, id))
  if (mark.ring !== 'awaited' || isSilent(mark, processes)) return
  await note(sweep, 'unawaited', found, () => {
    dropMark(home, name, id)
    ring(sweep.bus, name)
  })
}
