import { readTask } from '../bus/index/tasks.ts'
import { type Fate, fateOf } from '../bus/mail/fate.ts'
import { type Mark, markOf } from '../bus/mail/marks.ts'
import { CodedError } from '../errors.ts'
import { attachmentsOf } from '../message/attachment.ts'
import { messageJson } from '../message/json.ts'
import type { Message } from '../message/message.ts'
import { shortId } from '../message/shortId.ts'
import type { Task } from '../message/task.ts'
import { plural } from '../message/text.ts'
import { lastFailure } from '../session/otherSide.ts'
import type { Failed } from '../session/state.ts'
import { seenBy, taskSeen } from '../session/withheld.ts'
import type { Attached } from './attach.ts'
import { findShown } from './findMessage.ts'
import { readerHere } from './identity.ts'
import type { Ports } from './ports.ts'
import { whyNotRung } from './status/whyNotRung.ts'

/**
 * `silent`: why it does not ring, or rings otherwise than others, while it is unread. `waits`: why
 * it has not rung yet. `failed`: how its recipient's last turn failed, while it is unread. `task`:
 * how it stands, where it is one.
 */
export type Shown = {
  message: Message
  fate: Fate
  silent: Mark | null
  waits: string | null
  failed?: Failed
  task?: Task
}

/** Lines of a text, counted from 1; `to` is the last one, and without it they go on to the end. */
export type Lines = { from: number; to?: number }

/**
 * One message and its fate. It is neither marked as read nor moved. Where hooks do not run, it has
 * no text of another.
 */
export function showMessage(part: string, ports: Pick<Ports, 'bus' | 'env'>): Shown {
  const bus = ports.bus()
  const { home } = bus
  const seen = seenBy(readerHere(ports), bus)
  const message = seen(findShown(part, ports))
  const silent = markOf(home, message.to, message.id) ?? null
  const fate = fateOf(home, message.id, message.to)
  const task = message.kind === 'task' ? readTask(home, message.id) : undefined
  const waits = whyNotRung(bus, message.to, fate, silent) ?? null
  const failed = fate.place === 'unread' ? lastFailure(bus, message.to) : undefined
  return {
    ...{ message, fate, silent, waits },
    ...(failed && { failed }),
    ...(task && { task: taskSeen(task, seen) }),
  }
}

/** The files that a message names, as they are now. What hashes them is loaded for these. */
export async function attachedTo(message: Message): Promise<Attached[]> {
  const attachments = attachmentsOf(message)
  if (attachments.length === 0) return []
  const { lookAtAttachments } = await import('./attach.ts')
  return lookAtAttachments(attachments)
}

/** A message and its fate as data, with the files that it names as they are now. */
export function shownJson(
  { message, fate, silent, waits, failed, task }: Shown,
  attachments: Attached[],
): Record<string, unknown> {
  const files = attachments.length === 0 ? {} : { attachments }
  return {
    ...messageJson(message),
    ...files,
    ...fate,
    silent,
    waits,
    ...(failed && { failed }),
    ...(task && { state: task.state }),
  }
}

/** These lines of a body, of how many. Throws `USAGE` where the body ends before them. */
export function linesOf(
  { id, body }: Pick<Message, 'id' | 'body'>,
  { from, to = Number.POSITIVE_INFINITY }: Lines,
): { body: string; from: number; to: number; of: number } {
  const lines = body.split('\n')
  const of = lines.length
  if (from > of) {
    throw new CodedError('USAGE', `the message has ${plural(of, 'line')}, and not ${from}`, {
      hint: `see the last ones with: agent-chat show ${shortId(id)} --lines ${Math.max(1, of - 39)}-`,
    })
  }
  return { body: lines.slice(from - 1, to).join('\n'), from, to: Math.min(to, of), of }
}
