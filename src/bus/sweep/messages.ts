import { join } from 'node:path'
import { idOfFile } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { syncDirectory } from '../../system/files.ts'
import { ring } from '../bell.ts'
import { dropMark, isSilent, markOf } from '../held.ts'
import { ensureInbox } from '../home.ts'
import { readMessageFile } from '../inbox.ts'
import { noteInIndexes, noteTaskEnd } from '../indexes.ts'
import { linkOrCopy } from '../publish.ts'
import { entriesOf, statOf, writtenAt } from './entries.ts'
import { GRACE_MS, note, type Sweep } from './finding.ts'
import type { Past } from './past.ts'
import { recordSent } from './record.ts'

/** Delivers what was published and never delivered, which is given, and names files in the archive that are no messages. */
export async function sweepMessages(sweep: Sweep, placed: ReadonlySet<string>, past: Past): Promise<Message[]> {
  const { home, clock } = sweep.bus
  const undelivered: Message[] = []
  for (const entry of entriesOf(home.messages)) {
    if (entry.name.startsWith('.')) continue
    const path = join(home.messages, entry.name)
    const id = idOfFile(entry.name)
    // What the history knows was whole when it was sent; to parse an old archive again would take minutes.
    const known = id !== undefined && past.sent.has(id)
    const message = known && (statOf(path)?.size ?? 1) > 0 ? undefined : readMessageFile(path, entry.name, home)
    if (typeof message === 'string') await note(sweep, 'no-message', { paths: [path] })
    if (typeof message !== 'object' || placed.has(message.id) || known) continue
    const written = writtenAt(message.id, path)
    if (clock.now() - written < GRACE_MS || !past.covers(written)) continue
    undelivered.push(message)
    await note(sweep, 'undelivered', { paths: [path], name: message.to }, () => deliver(sweep, message))
  }
  return undelivered
}

/** As its sender would have. Its sender may have noted it in the indexes already, which list an id once however often it is noted. */
function deliver(sweep: Sweep, message: Message): void {
  const { bus } = sweep
  ensureInbox(bus.home, message.to)
  noteInIndexes(bus.home, message)
  linkOrCopy(bus.home.message(message.id), bus.home.unread(message.to, message.id))
  syncDirectory(bus.home.inbox(message.to))
  recordSent(sweep, message)
  strikeEnded(sweep, message)
  const mark = markOf(bus.home, message.to, message.id)
  if (isSilent(mark, bus.processes)) return
  if (mark?.ring === 'awaited') dropMark(bus.home, message.to, message.id)
  ring(bus.home, message.to)
}

function strikeEnded({ bus }: Sweep, message: Message): void {
  const id = message.inReplyTo
  const answered = id === undefined ? undefined : readMessageFile(bus.home.message(id), `${id}.md`)
  if (typeof answered === 'object') noteTaskEnd(bus.home, answered, message)
}
