import type { Message } from '../../message/message.ts'
import { markOf } from '../held.ts'
import { record, sentFields } from '../history.ts'
import type { Sweep } from './finding.ts'

/** Tells the history of a message that was sent without it: `mended`, and as silent as its sender made it. */
export function recordSent({ bus }: Sweep, message: Message): void {
  const mark = markOf(bus.home, message.to, message.id)
  const silent = mark?.ring === 'held' || mark?.ring === 'quiet' ? { ring: mark.ring, why: mark.why } : {}
  record(bus, 'sent', { ...sentFields(message), ...silent, mended: true })
}
