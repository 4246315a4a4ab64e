import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dropMark, heldMarks, heldNames } from '../held.ts'
import { GRACE_MS, note, type Sweep } from './finding.ts'

/** Drops the marks of messages that are unread no more: their reader ended before it could, or their sender before it had sent. */
export async function sweepMarks(sweep: Sweep): Promise<void> {
  const { home, clock } = sweep.bus
  for (const name of heldNames(home)) {
    for (const [id, { at }] of Object.entries(heldMarks(home, name))) {
      // A sender marks a message before it delivers it.
      if (existsSync(home.unread(name, id)) || clock.now() - Date.parse(at) < GRACE_MS) continue
      const paths = [join(home.heldBy(name), `${id}.json`)]
      await note(sweep, 'stale-mark', { paths, name }, () => dropMark(home, name, id))
    }
  }
}
