import type { Message } from '../message/message.ts'
import type { Home } from './home.ts'
import { readMessageFile } from './inbox.ts'
import { threadIds } from './indexes.ts'
import { namesEver } from './names.ts'

/** A conversation: its messages, the first before all others, then oldest first, and the ids of those that are in the archive no more. */
export type Thread = { root: string; messages: Message[]; missing: string[] }

/** The whole conversation, in time that grows with it alone. What cannot be read as a message counts as missing. */
export function readThread(home: Home, root: string): Thread {
  const thread: Thread = { root, messages: [], missing: [] }
  for (const id of threadIds(home, root)) {
    const message = readMessageFile(home.message(id), `${id}.md`, home)
    if (typeof message === 'object') thread.messages.push(message)
    else thread.missing.push(id)
  }
  return thread
}

/**
 * The answers of one session to a message, oldest first. The names tell which messages are that session's; each of them says itself what it
 * answers, so a clock that was set back in between hides none.
 */
export function answersTo(home: Home, message: Pick<Message, 'id' | 'thread'>, from: string): Message[] {
  const names = namesEver(home, from)
  return threadIds(home, message.thread)
    .filter((id) => names.some((name) => id.endsWith(`-from-${name}`)))
    .map((id) => readMessageFile(home.message(id), `${id}.md`, home))
    .filter((answer) => typeof answer === 'object')
    .filter((answer) => answer.inReplyTo === message.id && answer.from === from)
}
