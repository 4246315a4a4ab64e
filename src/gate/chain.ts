import { HUMAN } from '../message/name.ts'
import type { Lineage } from './lineage.ts'
import { MAX_HOPS, type Mode, type Rule, type Verdict } from './rules.ts'

/** A verdict on a message: by a rule of the gate, or because its chain has come to its end. */
export type SendVerdict = Omit<Verdict, 'rule'> & { rule: Rule | 'loops' }

export type ChainCase = {
  mode: Mode
  turn: 'open' | 'closed' | 'unknown'
  to: string
  lineage: Lineage
}

/**
 * Refuses what follows from a message that is itself held: it was read without a ring, for example by an agent that the end of a command in the background
 * has woken, and two such agents would write to each other for ever. What the human let go on before it was read counts as theirs.
 */
export function judgeChain({ mode, turn, to, lineage: { hops } }: ChainCase): SendVerdict | undefined {
  // With the human every chain ends, and where nothing tells of turns they may have spoken.
  if (mode === 'off' || turn === 'unknown' || to === HUMAN || hops <= MAX_HOPS) return undefined
  return {
    allow: false,
    rule: 'loops',
    reason: `it follows from a message that is held back, and ${hops} messages are on this chain since a human last spoke`,
    remedy: 'tell your user what the message says and what you would answer, and wait for their word',
  }
}
