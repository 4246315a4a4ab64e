import type { Bus } from '../../bus/bus.ts'
import { openTasks } from '../../bus/index/tasks.ts'
import { readSessions } from '../../bus/names/registry.ts'
import { CodedError } from '../../errors.ts'
import { parseSubject } from '../../message/line.ts'
import { parseRecipient } from '../../message/name.ts'
import type { Task } from '../../message/task.ts'
import { believedState } from '../../session/stateFile.ts'
import { seenBy, taskSeen } from '../../session/withheld.ts'
import { shownWorker } from '../../session/workers.ts'
import { type ContentSource, contentOf } from '../content.ts'
import { readerHere, whoSpeaks } from '../identity.ts'
import { type Posted, post } from '../post.ts'
import { recipientFor, tellUnregistered } from '../recipient.ts'
import type { SendPorts, SendRequest } from '../send.ts'
import { taskTitle } from './task.ts'

/**
 * Sends a task. Tells of what its recipient still has to do. Throws as `send()`, `USAGE` for a
 * task to oneself, and, where it is to go to nobody who is busy (`unlessBusy`), `SESSION_BUSY`.
 */
export async function giveTask(
  request: Omit<SendRequest, 'kind' | 'replyTo'> & { unlessBusy?: boolean },
  content: ContentSource,
  ports: SendPorts,
): Promise<Posted> {
  const recipient = parseRecipient(request.recipient)
  const subject = request.subject === undefined ? {} : { subject: parseSubject(request.subject) }
  const bus = ports.bus()
  const { home } = bus
  const sessions = readSessions(home)
  const { name: from } = await whoSpeaks(ports, request.from, sessions)
  const to = await recipientFor(recipient, sessions, ports)
  if (from === to) {
    throw new CodedError('USAGE', `@${to} cannot give itself a task`, {
      hint: 'give it to another session; see the names with: agent-chat who',
    })
  }
  const said = await contentOf(content, from, to)
  const seen = seenBy(readerHere(ports), bus)
  const [first, ...others] = openTasks(home)
    .filter(({ message }) => message.to === to)
    .map((task) => taskSeen(task, seen))
  const { priority, unlessBusy } = request
  if (unlessBusy) requireFree(bus, to, first)
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

/** One task at a time: who has an open one is busy, and who is in the middle of something. */
function requireFree(bus: Bus, to: string, open: Task | undefined): void {
  const { activity } = shownWorker(bus, to) ?? believedState(bus.home, to, bus.processes) ?? {}
  const isFree = open === undefined && !['busy', 'asking', 'waiting'].includes(activity ?? '')
  if (isFree) return
  const why =
    open === undefined ? `it is ${activity}` : `it has “${taskTitle(open)}” (${open.state})`
  throw new CodedError('SESSION_BUSY', `@${to} is busy: ${why}; nothing was assigned`, {
    hint: `wait for it, choose another session, or queue it: agent-chat task @${to} "…"`,
  })
}
