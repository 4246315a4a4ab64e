import type { Message } from '../message/message.ts'
import type { Cost } from './costs/ledger.ts'
import type { Call, Decision } from './permission/call.ts'
import type { StreamEvent } from './stream/stream.ts'

/** What a turn needs besides: permission, money and the stream, each as far as a turn uses it. */
export type Parts = {
  /** Called before the line with `prompt` is written to the client. */
  give: (message: Message, prompt: string) => void
  /** Whether the client's hooks have seen the turn. Without them it would ask about nothing. */
  isGated: () => boolean
  decide: (call: Call) => Promise<Decision>
  /** The turn has ended: calls that still wait are refused. */
  over: () => void
  /** What a message is to the worker's own decisions: see `answersDecision()`. */
  answersDecision: (message: Message) => 'spent' | 'late' | undefined
  noteCost: (cost: Spent) => void
  /** Whether no turn may begin today. */
  overBudget: () => Promise<boolean>
  openStream: (message: string) => (event: StreamEvent) => void
}

/** What one result cost. */
export type Spent = Omit<Cost, 'at'>
