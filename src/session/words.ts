import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { unreadIds } from '../bus/mail/unread.ts'
import { nameNow } from '../bus/names/names.ts'
import { senderOfId, timeOfId } from '../message/id.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import { digestOf } from '../system/digest.ts'
import {
  makeDirectory,
  namesIn,
  readPlainFile,
  removeFile,
  replaceFileSoon,
} from '../system/files.ts'
import { readJson } from '../system/json.ts'

/** Notes of words that nobody has heard by then are forgotten. In milliseconds. */
const KEPT_MS = 7 * 24 * 60 * 60_000

/** No message is longer. In bytes. */
const MAX_BYTES = 1024 * 1024

/**
 * Notes that the human typed this message at a terminal of their own. The note stands beside the
 * message, with the digest of its file: the file alone, or a changed one, is nobody's word.
 */
export function noteWord({ home, clock }: Bus, { id, to }: Message): void {
  const sha256 = digestIn(home.message(id))
  if (sha256 === undefined) return
  makeDirectory(home.words)
  for (const file of namesIn(home.words)) {
    if (timeOfId(file.replace(/\.json$/, '')) < clock.now() - KEPT_MS)
      removeFile(`${home.words}/${file}`)
  }
  replaceFileSoon(home.word(id), `${JSON.stringify({ to, sha256 })}\n`)
}

/** Spends the human's own word, if all that is unread is theirs: it opens one turn. */
export function takeWords({ home }: Bus, name: string): boolean {
  const ids = hasWords(home, name) ? unreadIds(home, name) : []
  for (const id of ids) removeFile(home.word(id))
  return ids.length > 0
}

/**
 * Whether all that is unread is the human's own word. Where another's message waits beside it, the
 * turn would be about that, too.
 */
export function hasWords(home: Home, name: string): boolean {
  const ids = unreadIds(home, name)
  return ids.length > 0 && ids.every((id) => senderOfId(id) === HUMAN && isWord(home, name, id))
}

/** Whether a message in somebody's inbox is the human's own word, as they typed it. */
export function isWord(home: Home, name: string, id: string): boolean {
  const note = readJson(home.word(id))
  if (typeof note !== 'object' || note === null || !('to' in note) || !('sha256' in note))
    return false
  const sha256 = digestIn(home.unread(name, id)) ?? digestIn(home.read(name, id))
  return nameNow(home, String(note.to)) === name && note.sha256 === sha256
}

function digestIn(path: string): string | undefined {
  const bytes = readPlainFile(path, MAX_BYTES)
  return Buffer.isBuffer(bytes) ? digestOf(bytes) : undefined
}
