import { idOfFile, isMessageFile, senderOfId, timeOfId } from '../../message/id.ts'
import { namesIn } from '../../system/files.ts'
import type { Home } from '../home.ts'
import { nameAt, readRenames } from '../names/names.ts'

/**
 * The names of the files in an inbox, oldest first, without hidden files (they are being written)
 * and the directories `read` and `bad`. Looks at names alone, so that hooks and doorbells need no
 * parser. A missing inbox has no files.
 */
export function unreadFiles(home: Pick<Home, 'inbox'>, name: string): string[] {
  return namesIn(home.inbox(name))
    .filter((file) => !file.startsWith('.') && file.endsWith('.md'))
    .sort()
}

/** The ids of what is unread, oldest first. */
export function unreadIds(home: Pick<Home, 'inbox'>, name: string): string[] {
  return unreadFiles(home, name)
    .map(idOfFile)
    .filter((id) => id !== undefined)
}

/** How many messages are unread. Thousands of names are counted faster than they are made ids. */
export function unreadCount(home: Pick<Home, 'inbox'>, name: string): number {
  return namesIn(home.inbox(name)).filter(isMessageFile).length
}

/** The names that the senders of these ids have now, one for each id. */
export function sendersNow(home: Pick<Home, 'names'>, ids: string[]): string[] {
  const renames = readRenames(home)
  return ids.map((id) => nameAt(renames, senderOfId(id) ?? '', timeOfId(id)))
}

/** The senders that these ids name, each once and checked, in the order of their first message. */
export function sendersIn(ids: string[]): string[] {
  // Thousands of ids name few senders, and only these need be checked.
  const named = new Set(ids.map((id) => id.slice(id.indexOf('-from-'))))
  return [...named].map(senderOfId).filter((from) => from !== undefined)
}
