import { readSessions } from '../bus/names/registry.ts'
import { parseSubject } from '../message/line.ts'
import type { Message } from '../message/message.ts'
import { parseRecipient } from '../message/name.ts'
import type { Priority } from '../message/priority.ts'
import { type ContentSource, contentOf } from './content.ts'
import { whoSpeaks } from './identity.ts'
import type { Ports } from './ports.ts'
import { type Posted, type PostPorts, post } from './post.ts'
import { recipientFor, tellUnregistered } from './recipient.ts'

/**
 * A message to be sent. `from`: the sender where nothing else tells. `kind`: by default `reply` for
 * an answer, else `note`. `replyTo`: a part of the id of the message that it answers.
 * `queue`: whether it is kept for a session that has not joined yet.
 */
export type SendRequest = {
  recipient: string
  from?: string | undefined
  kind?: string | undefined
  subject?: string | undefined
  replyTo?: string | undefined
  priority?: Priority | undefined
  queue?: boolean | undefined
}

export type SendPorts = PostPorts & Pick<Ports, 'isTerminal'>

/**
 * Sends one message. Nothing is written before the recipient, the sender and the body have been
 * checked. Throws as `post()`, `parseRecipient()`, `recipientFor()` and `whoSpeaks()`.
 */
export async function send(
  request: SendRequest,
  content: ContentSource,
  ports: SendPorts,
): Promise<Posted> {
  const recipient = parseRecipient(request.recipient)
  const subject = request.subject === undefined ? {} : { subject: parseSubject(request.subject) }
  const sessions = readSessions(ports.bus().home)
  const { name: from } = await whoSpeaks(ports, request.from, sessions)
  const to = await recipientFor(recipient, sessions, ports, request.queue)
  const { replyTo, priority } = request
  const answered = replyTo === undefined ? undefined : await findAnswered(replyTo, from, ports)
  const kind = request.kind ?? (answered ? 'reply' : 'note')
  const said = await contentOf(content, from, to)
  const posted = await post({ from, to, kind, ...said, ...subject, answered, priority }, ports)
  tellUnregistered(from, sessions, ports)
  return posted
}

/** The archive, with the parser of messages, is loaded only here. */
async function findAnswered(part: string, name: string, ports: SendPorts): Promise<Message> {
  const { findMessage } = await import('./findMessage.ts')
  return findMessage(part, name, ports)
}
