import { dirname, join } from 'node:path'
import { noteInIndexes, noteTaskEnd } from '../../bus/index/indexes.ts'
import { ring } from '../../bus/mail/bell.ts'
import { messageAt, readMessageFile } from '../../bus/mail/inbox.ts'
import { writtenAt } from '../../bus/mail/inboxes.ts'
import { dropMark, isSilent, markOf } from '../../bus/mail/marks.ts'
import { makePlace, placeFor } from '../../bus/mail/place.ts'
import { linkOrCopy } from '../../bus/mail/publish.ts'
import { hostOf } from '../../message/address.ts'
import { idOfFile } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { entriesIn, lookAt, syncDirectory } from '../../system/files.ts'
import { GRACE_MS, note, recordSent, type Sweep } from './finding.ts'
import type { Past } from './past.ts'

/** Delivers what was published only, and gives it; names archive files that are no messages. */
export async function sweepMessages(
  sweep: Sweep,
  placed: ReadonlySet<string>,
  past: Past,
): Promise<Message[]> {
  const { home, clock } = sweep.bus
  const undelivered: Message[] = []
  for (const entry of entriesIn(home.messages)) {
    if (entry.name.startsWith('.')) continue
    const path = join(home.messages, entry.name)
    const id = idOfFile(entry.name)
    // What the history knows was whole when it was sent; an old archive takes minutes to parse.
    const known = id !== undefined && past.sent.has(id)
    const message =
      known && (lookAt(path)?.size ?? 1) > 0 ? undefined : readMessageFile(path, entry.name, home)
    if (typeof message === 'string') await note(sweep, 'no-message', { paths: [path] })
    if (typeof message !== 'object' || placed.has(message.id) || known) continue
    const written = writtenAt(message.id, path)
    if (clock.now() - written < GRACE_MS || !past.covers(written)) continue
    undelivered.push(message)
    await note(sweep, 'undelivered', { paths: [path], name: message.to }, () =>
      deliver(sweep, message),
    )
  }
  return undelivered
}

/** As its sender would have, who may have noted it in the indexes: they list an id once. */
function deliver(sweep: Sweep, message: Message): void {
  const { bus } = sweep
  makePlace(bus.home, message.to)
  noteInIndexes(bus.home, message)
  const place = placeFor(bus.home, message)
  linkOrCopy(bus.home.message(message.id), place)
  syncDirectory(dirname(place))
  recordSent(sweep, message)
  strikeEnded(sweep, message)
  if (hostOf(message.to) !== undefined) return
  const mark = markOf(bus.home, message.to, message.id)
  if (isSilent(mark, bus.processes)) return
  if (mark?.ring === 'awaited') dropMark(bus.home, message.to, message.id)
  ring(bus, message.to)
}

function strikeEnded({ bus }: Sweep, message: Message): void {
  const id = message.inReplyTo
  const answered = id === undefined ? undefined : messageAt(bus.home.message(id), id, bus.home)
  if (answered) noteTaskEnd(bus.home, answered, message)
}
