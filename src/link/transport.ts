import type { Letter } from '../bus/remote/outbox.ts'
import type { Receipt } from '../bus/remote/receipts.ts'

/**
 * What the other machine says of a letter. `arrived`: it has it on its disk, from now or from
 * before. `refused`: it never takes it. `wait`: something is wrong there, a full disk for example,
 * and the same letter is to be delivered again later.
 */
export type Answer = { is: 'arrived' } | { is: 'refused' | 'wait'; why: string }

/**
 * What a lane needs of a transport: one other machine, of which the transport itself proves who it
 * is. Both calls reject when the way is gone; then nothing is known, and the lane begins again with
 * the same letter on the next one. `deliver` resolves only on the other machine's own answer: that
 * of a server in between says nothing of its disk.
 */
export type Transport = {
  deliver: (letter: Letter) => Promise<Answer>
  /** Tells what became of messages from there. Resolves once it was noted there. */
  tell: (receipts: readonly Receipt[]) => Promise<void>
}

/**
 * What a transport does with what comes in. `take` throws where the letter is to come again; that
 * is answered with `wait`.
 */
export type Arrivals = {
  take: (letter: Letter) => Answer
  told: (receipts: readonly Receipt[]) => void
}
