import type { PostPorts } from '../../chat/post.ts'
import type { Call, Decision } from './permission.ts'

/** Puts a call to the human as a decision, and waits for their answer. */
export function askHuman(
  _ports: PostPorts,
  _name: string,
  _call: Call,
  _limitMs: number,
  _signal?: AbortSignal,
): Promise<Decision> {
  throw new Error('not yet built')
}

/**
 * What a message in the worker's inbox is to its decisions: `spent` (mark it read; it begins no
 * turn), `late` (the answer to a decision that nobody waits for any more: give it to the
 * conversation, without an answer), or undefined (an ordinary message).
 */
export function answersDecision(
  _ports: Pick<PostPorts, 'bus'>,
  _name: string,
  _message: { inReplyTo?: string },
): 'spent' | 'late' | undefined {
  throw new Error('not yet built')
}
