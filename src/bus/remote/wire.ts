import { isUtf8 } from 'node:buffer'
import { isCoded } from '../../errors.ts'
import { hostOf } from '../../message/address.ts'
import { parseMessage } from '../../message/format.ts'
import { parseId } from '../../message/id.ts'
import { MAX_BODY_BYTES, type Message } from '../../message/message.ts'

/** A message between two machines: its id, and the text of its file, as `toWire()` has them. */
export type Wire = { id: string; text: string }

/** A body, its header, and some room for fields to come. */
const MAX_WIRE_BYTES = MAX_BODY_BYTES + 128 * 1024

/** A clock that is further ahead than this would keep a message last in the inbox for long. */
const MAX_AHEAD_MS = 60 * 60_000

/**
 * The message in a text from the machine `peer`, or why it is none that this machine may send: its
 * sender has to be there, its recipient here, and the id has to name the sender.
 */
export function readWire(
  { id, text }: Wire,
  { me, peer }: { me: string; peer: string },
  now: number,
): Message | string {
  const parsed = parseId(id)
  if (parsed === undefined || id.length > 200) return 'its id is not the id of a message'
  if (hostOf(parsed.from) !== peer) return `its id does not name a sender on ${peer}`
  if (parsed.micros / 1000 > now + MAX_AHEAD_MS) return 'it is from more than an hour ahead'
  const bytes = Buffer.from(text)
  if (bytes.length > MAX_WIRE_BYTES) return 'it is too long for a message'
  if (!isUtf8(bytes) || text.includes('\0')) return 'it is not text'
  try {
    const message = parseMessage(text, id)
    if (Buffer.byteLength(message.body) > MAX_BODY_BYTES) return 'it is too long for a message'
    return hostOf(message.to) === me ? message : `its recipient is not on ${me}`
  } catch (error) {
    if (isCoded(error, 'MESSAGE_UNREADABLE')) return error.message
    throw error
  }
}
