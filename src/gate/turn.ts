import { isOpen, type Turn } from '../session/turn.ts'

/** Whether a human has a word in the turn; `unknown` where no hook tells of turns. */
export function turnOf(turn: Turn | undefined): 'open' | 'closed' | 'unknown' {
  if (turn === undefined) return 'unknown'
  return isOpen(turn) ? 'open' : 'closed'
}
