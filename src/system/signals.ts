import { constants } from 'node:os'

/**
 * How a process ended: its exit code, which for a signal is 128 and its number, as shells have it.
 */
export type Ended = { code: number; signal: NodeJS.Signals | null }

export function codeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

/** How a process ended of which a shell tells the exit code. */
export function endOf(code: number): Ended {
  const names = Object.keys(constants.signals) as NodeJS.Signals[]
  return { code, signal: names.find((name) => codeOf(name) === code) ?? null }
}
