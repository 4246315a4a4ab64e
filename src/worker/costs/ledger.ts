import type { Bus } from '../../bus/bus.ts'
import type { Home } from '../../bus/home.ts'
import type { PostPorts } from '../../chat/post.ts'

/** What one result cost. `at`: ISO 8601. */
export type Cost = {
  at: string
  message: string
  chain: string | null
  conversation: string
  input: number
  output: number
  usd: number
}

/** Tokens and dollars of a `result` line: what was used since the last one. */
export function usageOf(_result: Record<string, unknown>): Pick<Cost, 'input' | 'output' | 'usd'> {
  throw new Error('not yet built')
}

export function noteCost(_bus: Bus, _name: string, _cost: Cost): void {
  throw new Error('not yet built')
}

/** Dollars since midnight, in the user's time zone. */
export function spentToday(_home: Home, _name: string, _now: number): number {
  throw new Error('not yet built')
}

/** Whether no turn may begin today. The human is told once a day. */
export function overBudget(
  _worker: { name: string; budgetUsd?: number | undefined },
  _ports: PostPorts,
): Promise<boolean> {
  throw new Error('not yet built')
}
