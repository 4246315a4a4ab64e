import { existsSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import { answersTo } from '../../bus/index/threads.ts'
import { markOf } from '../../bus/mail/marks.ts'
import type { Message } from '../../message/message.ts'

/** The first answer to a question that has been delivered and is not held back. */
export function answerTo({ home }: Bus, question: Message): Message | undefined {
  const me = question.from
  return answersTo(home, question, question.to).find(({ id }) => {
    // Unread first: one that is read meanwhile is found at its second place.
    if (existsSync(home.unread(me, id)) && markOf(home, me, id)?.ring !== 'held') return true
    return existsSync(home.read(me, id))
  })
}

/** The chain of an answer that the guardrails hold back, until the human lets it go on. */
export function heldAnswer({ home }: Bus, { from, to, ...question }: Message): string | undefined {
  const marks = answersTo(home, question, to).map(({ id }) => markOf(home, from, id))
  return marks.find((mark) => mark?.ring === 'held')?.chain
}
