import { existsSync } from 'node:fs'
import { readThread, type Thread } from '../bus/index/threads.ts'
import { CodedError } from '../errors.ts'
import { idOfFile } from '../message/id.ts'
import { messageJson } from '../message/json.ts'
import { seenBy } from '../session/withheld.ts'
import { findShown } from './findMessage.ts'
import { readerHere } from './identity.ts'
import type { Ports } from './ports.ts'

/**
 * The conversation that a message belongs to, also where the message that began it is gone; a
 * message that somebody put into the inbox by hand is one by itself. Throws `MESSAGE_UNKNOWN` where
 * nothing of it is left. Where hooks do not run, it has no text of others.
 */
export function threadOf(part: string, ports: Pick<Ports, 'bus' | 'env' | 'typed'>): Thread {
  const thread = wholeThread(part, ports)
  return { ...thread, messages: thread.messages.map(seenBy(readerHere(ports), ports.bus())) }
}

function wholeThread(part: string, ports: Pick<Ports, 'bus' | 'env'>): Thread {
  const { home } = ports.bus()
  // A first message that is gone still names its conversation.
  const named = idOfFile(`${part}.md`) !== undefined && existsSync(home.thread(part))
  const message = named ? undefined : findShown(part, ports)
  const root = message?.thread ?? part
  const thread = readThread(home, root)
  if (thread.messages.length > 0) return thread
  if (message)
    return { root, messages: [message], missing: thread.missing.filter((id) => id !== message.id) }
  throw new CodedError('MESSAGE_UNKNOWN', `no message is left of the thread ${root}`, {
    hint: 'see the ids with: agent-chat history',
  })
}

/** A conversation as data. */
export function threadJson({ root, messages, missing }: Thread): Record<string, unknown> {
  return { thread: root, messages: messages.map(messageJson), missing }
}
