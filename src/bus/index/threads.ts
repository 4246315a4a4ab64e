import type { Message } from '../../message/message.ts'
import type { Home } from '../home.ts'
import { messageAt } from '../mail/inbox.ts'
import { namesEver } from '../names/names.ts'
import { threadIds } from './indexes.ts'

/** A conversation: the first message, then the others, oldest first; and the ids that are gone. */
export type Thread = { root: string; messages: Message[]; missing: string[] }

/** The whole conversation, in time that grows with it. What is no message counts as missing. */
export function readThread(home: Home, root: string): Thread {
  const thread: Thread = { root, messages: [], missing: [] }
  for (const id of threadIds(home, root)) {
    const message = messageAt(home.message(id), id, home)
    if (message) thread.messages.push(message)
    else thread.missing.push(id)
  }
  return thread
}

/**
 * The answers of one session to a message, oldest first. The names tell which messages are that
 * session's; each of them says itself what it answers, so a clock that was set back in between
 * hides none.
 */
export function answersTo(
  home: Home,
  message: Pick<Message, 'id' | 'thread'>,
  from: string,
): Message[] {
  const names = namesEver(home, from)
  return threadIds(home, message.thread)
    .filter((id) => names.some((name) => id.endsWith(`-from-${name}`)))
    .flatMap((id) => messageAt(home.message(id), id, home) ?? [])
    .filter((answer) => answer.inReplyTo === message.id && answer.from === from)
}
