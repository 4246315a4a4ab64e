import { resolve } from 'node:path'
import { CodedError } from '../errors.ts'
import { type Attachment, attachmentFields } from '../message/attachment.ts'
import type { Message } from '../message/message.ts'
import { quote } from '../message/name.ts'
import { hashFile } from '../system/hash.ts'

/** What a file that a message names is now, next to what it was. */
export type AttachedState = 'same' | 'changed' | 'missing' | 'unreadable'
export type Attached = Attachment & { state: AttachedState }

/**
 * More than anybody looks at, and the most that the header of a message has room for, in bytes of
 * their paths.
 */
const MAX_ATTACHMENTS = 50
const MAX_PATHS = 32 * 1024

/**
 * The header field for files named on the command line, as they are now: their absolute paths,
 * sizes and hashes. Throws `FILE_UNREADABLE` for one that is missing, a directory or unreadable,
 * `USAGE` for too many.
 */
export async function attach(paths: readonly string[], cwd: string): Promise<Message['extra']> {
  const absolute = [...new Set(paths.map((path) => resolve(cwd, path)))]
  if (absolute.length > MAX_ATTACHMENTS || Buffer.byteLength(absolute.join('')) > MAX_PATHS) {
    throw new CodedError(
      'USAGE',
      `a message can have at most ${MAX_ATTACHMENTS} attachments, and ${MAX_PATHS} bytes of paths`,
      { hint: 'write the path of their directory in the message instead' },
    )
  }
  const attachments: Attachment[] = []
  for (const path of absolute) {
    const found = await hashFile(path)
    if (found === undefined) throw unreadable(path, 'it is not there')
    if ('why' in found) throw unreadable(path, found.why)
    attachments.push({ path, ...found })
  }
  return attachmentFields(attachments)
}

/** Looks at files that a message names, as they are now. */
export async function lookAtAttachments(attachments: readonly Attachment[]): Promise<Attached[]> {
  const looked: Attached[] = []
  for (const attachment of attachments)
    looked.push({ ...attachment, state: await stateOf(attachment) })
  return looked
}

async function stateOf({ path, bytes, sha256 }: Attachment): Promise<AttachedState> {
  const now = await hashFile(path)
  if (now === undefined) return 'missing'
  if ('why' in now) return 'unreadable'
  return now.bytes === bytes && now.sha256 === sha256 ? 'same' : 'changed'
}

function unreadable(path: string, why: string): CodedError {
  return new CodedError('FILE_UNREADABLE', `cannot attach ${quote(path)}: ${why}`, {
    hint: 'check the path given to --attach; nothing was sent',
  })
}
