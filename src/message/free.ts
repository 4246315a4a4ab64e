import type { Message } from './message.ts'
import { endIn } from './task.ts'

/** What tells whether an answer is free. */
export type AnswerFacts = Pick<Message, 'from' | 'to' | 'kind' | 'extra'>

/**
 * Whether an answer is free of the chain's count: the first answer to a question, or the one end of
 * a task, from the one who was asked to the one who asked. A note is neither, and always counts.
 * `before`: the answers so far.
 */
export function isFree(
  asked: Pick<Message, 'from' | 'to' | 'kind'>,
  answer: AnswerFacts,
  before: readonly Message[],
): boolean {
  if (asked.from !== answer.to || asked.to !== answer.from || !isAnswer(answer)) return false
  if (asked.kind === 'question') return !before.some(isAnswer)
  return (
    asked.kind === 'task' &&
    endIn(answer) !== undefined &&
    before.every((one) => endIn(one) === undefined)
  )
}

function isAnswer({ kind }: Pick<Message, 'kind'>): boolean {
  return kind === 'reply' || kind === 'result'
}

/** How deep the path was that a free message ends; undefined for a message that counts. */
export function freeDepth({ extra }: Pick<Message, 'extra'>): number | undefined {
  const depth = Object.hasOwn(extra, 'depth') ? extra.depth : undefined
  return typeof depth === 'string' && /^\d{1,4}$/.test(depth) ? Number(depth) : undefined
}
