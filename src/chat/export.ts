import { readMessageFile } from '../bus/mail/inbox.ts'
import { messagePlaces } from '../bus/mail/places.ts'
import { parseId } from '../message/id.ts'
import type { Message } from '../message/message.ts'
import { visibleLine } from '../message/visible.ts'
import { seenBy } from '../session/withheld.ts'
import { readerHere } from './identity.ts'
import type { Ports } from './ports.ts'
import { threadOf } from './thread.ts'

/** `thread`: only the conversation of this message. `ageMs`: how old a message may be. */
export type ExportRequest = { thread?: string | undefined; ageMs?: number | undefined }

type ExportPorts = Pick<Ports, 'bus' | 'env' | 'notice'>

/**
 * The messages that are asked for, in the order of their ids, each read when it is asked for: an
 * archive of any size can be exported. Tells of what cannot be read.
 */
export function exportMessages(
  { thread, ageMs }: ExportRequest,
  ports: ExportPorts,
): Iterable<Message> {
  const { clock } = ports.bus()
  const since = ageMs === undefined ? Number.NEGATIVE_INFINITY : clock.now() - ageMs
  if (thread === undefined) return allMessages(since, ports)
  const { messages, missing } = threadOf(thread, ports)
  for (const id of missing)
    ports.notice(`the archive no longer has this message of the conversation: ${id}`)
  return messages.filter(({ timestamp }) => Date.parse(timestamp) >= since)
}

function* allMessages(since: number, ports: ExportPorts): Generator<Message> {
  const { home } = ports.bus()
  const seen = seenBy(readerHere(ports), ports.bus())
  for (const [id, path] of [...messagePlaces(home)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    // The program's own ids tell their time: older messages are not opened.
    const micros = parseId(id)?.micros
    if (micros !== undefined && micros / 1000 < since) continue
    const message = readMessageFile(path, `${id}.md`, home)
    if (typeof message === 'string')
      ports.notice(`${visibleLine(path)} is not a message (${message}); skipped`)
    if (typeof message === 'object' && Date.parse(message.timestamp) >= since) yield seen(message)
  }
}
