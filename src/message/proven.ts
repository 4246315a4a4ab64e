import type { Message } from './message.ts'
import { HUMAN } from './name.ts'

/** The field of a message in the human's name that nothing shows to be theirs. */
export const UNPROVEN = { proven: 'no' } as const

/** Whether a message is in the human's name, and nothing showed that they wrote it. */
export function isUnproven({ from, extra }: Pick<Message, 'from' | 'extra'>): boolean {
  return from === HUMAN && extra.proven === UNPROVEN.proven
}

/** Whether a message is the human's, as far as its sender's process could show. */
export function isFromHuman(message: Pick<Message, 'from' | 'extra'>): boolean {
  return message.from === HUMAN && !isUnproven(message)
}
