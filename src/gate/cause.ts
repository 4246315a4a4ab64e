import type { Bus } from '../bus/bus.ts'
import { type Read, readReads } from '../session/reads.ts'
import type { Turn } from '../session/turn.ts'
import { RECENT_MS } from './rules.ts'

/** The messages that a session's turn is about: those read since it began, or, where nothing tells of turns, in the last ten minutes. */
export function causesOf(bus: Bus, name: string, turn: Turn | undefined): Read[] {
  const since = turn ? Date.parse(turn.at) : bus.clock.now() - RECENT_MS
  return readReads(bus.home, name).filter(({ at }) => Date.parse(at) >= since)
}

/** The senders of these messages, each once, as `@a, @b`. */
export function sendersOf(reads: Pick<Read, 'from'>[]): string {
  return [...new Set(reads.map(({ from }) => `@${from}`))].join(', ')
}
