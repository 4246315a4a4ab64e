import { formatId } from '../message/id.ts'
import type { Message } from '../message/message.ts'
import type { Home } from './home.ts'
import { messageAt, readMessageFile } from './mail/inbox.ts'
import { messagePlaces } from './mail/places.ts'
import { fold, type Line, matchingLine } from './searchText.ts'

/**
 * What is searched for. `words` all occur, as plain text in any case; names are those of now;
 * `since` is in milliseconds since 1970.
 */
export type Search = { words: string[]; from?: string; to?: string; kind?: string; since?: number }

/** A message that was found, and the line that answers. */
export type Hit = { message: Message; line: Line }

/** The newest hits, newest first, and whether there are more than were asked for. */
export type Found = { hits: Hit[]; more: boolean }

/** An id of this form tells when its message was sent, and sorts by that. */
const TIMED = /^\d{8}T\d{6}\.\d{6}Z-from-/

/** What in a header may read otherwise than it looks: an escape, or a value of several lines. */
const WRITTEN_OTHERWISE = /\\|''|\n[^a-z]/

/**
 * Searches the messages from the newest to the oldest, until `limit` are found. Most files hold
 * none of the words: those are not parsed.
 */
export function searchMessages(home: Home, search: Search, limit: number): Found {
  const words = search.words.map(fold)
  const parts = words.flatMap((word) => word.split('\n'))
  const oldest = search.since === undefined ? '' : formatId(Math.max(0, search.since) * 1000, '')
  const hits: Hit[] = []
  const places = messagePlaces(home)
  for (const sent of newestFirst(places)) {
    if (sent < oldest) break
    const id = sent.slice(sent.indexOf(' ') + 1)
    const path = places.get(id) ?? ''
    const message = readMessageFile(path, `${id}.md`, home, (text) => mayHold(text, parts))
    const line = isWanted(message, search) ? matchingLine(message, words) : undefined
    if (!isWanted(message, search) || line === undefined) continue
    if (hits.length === limit) return { hits, more: true }
    hits.push({ message, line })
  }
  return { hits, more: false }
}

/** The ids; one of another form, which a hand gave, stands behind the time its message says. */
function newestFirst(places: ReadonlyMap<string, string>): string[] {
  const sent = [...places].flatMap(([id, path]) => {
    if (TIMED.test(id)) return id
    const message = messageAt(path, id)
    return message ? `${formatId(Date.parse(message.timestamp) * 1000, '')} ${id}` : []
  })
  return sent.sort().reverse()
}

/** Whether a file's text has the words anywhere, or a header that has to be parsed to say. */
function mayHold(text: string, parts: readonly string[]): boolean {
  const folded = fold(text)
  return (
    parts.every((part) => folded.includes(part)) ||
    WRITTEN_OTHERWISE.test(text.slice(0, text.indexOf('\n---', 3)))
  )
}

function isWanted(message: Message | string | undefined, search: Search): message is Message {
  if (typeof message !== 'object') return false
  const { from = message.from, to = message.to, kind = message.kind, since = 0 } = search
  return (
    message.from === from &&
    message.to === to &&
    message.kind === kind &&
    Date.parse(message.timestamp) >= since
  )
}
