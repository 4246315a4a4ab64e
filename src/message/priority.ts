import type { Message } from './message.ts'

/**
 * How much a message asks of its recipient, beyond the ordinary: to ring in a busy turn too, or
 * never to ring.
 */
export const PRIORITIES = ['urgent', 'quiet'] as const
export type Priority = (typeof PRIORITIES)[number]

/**
 * The priority in a message's header (`priority`); undefined for an ordinary one, and for a word
 * that this version does not know.
 */
export function priorityOf({ extra }: Pick<Message, 'extra'>): Priority | undefined {
  return PRIORITIES.find((priority) => priority === extra.priority)
}

/** What a message is, with its priority in front: `urgent question`. */
export function fullKindOf(message: Pick<Message, 'kind' | 'extra'>): string {
  const priority = priorityOf(message)
  return priority === undefined ? message.kind : `${priority} ${message.kind}`
}
