import { idOfFile, isMessageFile, senderOfId } from '../message/id.ts'
import { namesIn } from '../system/files.ts'
import type { Home } from './home.ts'

/**
 * The names of the files in an inbox, oldest first; what is being written (a name with a leading dot) and the directories `read` and
 * `bad` are left out. This looks at names alone, so that hooks and doorbells need no parser. An inbox that is not there has none.
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

/** The senders that these ids name, each once, in the order of their first message. A checked name or nothing. */
export function sendersOf(ids: string[]): string[] {
  // Thousands of ids name few senders, and only these need be checked.
  const named = new Set(ids.map((id) => id.slice(id.indexOf('-from-'))))
  return [...named].map(senderOfId).filter((from) => from !== undefined)
}
