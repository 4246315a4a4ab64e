import { openTasks } from '../../bus/index/tasks.ts'
import { readSessions } from '../../bus/names/registry.ts'
import { CodedError } from '../../errors.ts'
import { parseSubject } from '../../message/line.ts'
import { parseRecipient } from '../../message/name.ts'
import { type ContentSource, contentOf } from '../content.ts'
import { whoSpeaks } from '../identity.ts'
import { type Posted, post } from '../post.ts'
import { recipientFor, tellUnregistered } from '../recipient.ts'
import type { SendPorts, SendRequest } from '../send.ts'
import { taskTitle } from './task.ts'

/**
 * Sends a task. Tells of what its recipient still has to do. Throws as `send()`, and `USAGE` for a
 * task to oneself.
 */
export async function giveTask(
  request: Omit<SendRequest, 'kind' | 'replyTo'>,
  content: ContentSource,
  ports: SendPorts,
): Promise<Posted> {
  const recipient = parseRecipient(request.recipient)
  const subject = request.subject === undefined ? {} : { subject: parseSubject(request.subject) }
  const { home } = ports.bus()
  const sessions = readSessions(home)
  const { name: from } = await whoSpeaks(ports, request.from, sessions)
  const to = recipientFor(recipient, sessions, ports)
  if (from === to) {
    throw new CodedError('USAGE', `@${to} cannot give itself a task`, {
      hint: 'give it to another session; see the names with: agent-chat who',
    })
  }
  const said = await contentOf(content, from, to)
  const [first, ...others] = openTasks(home).filter(({ message }) => message.to === to)
  const { priority } = request
  const posted = await post({ from, to, kind: 'task', ...said, ...subject, priority }, ports)
  tellUnregistered(from, sessions, ports)
  if (first) {
    const more = others.length === 0 ? '' : `, and ${others.length} more`
    ports.notice(
      `@${to} has an open task already: ${taskTitle(first)} (${first.state})${more}; see: agent-chat tasks --open`,
    )
  }
  return posted
}
