import type { Bus } from '../../bus/bus.ts'
import { inHome } from '../../bus/homeError.ts'
import { makeDirectory, removeFile, replaceFile } from '../../system/files.ts'
import { readJson } from '../../system/json.ts'
import type { Outcome } from './outcome.ts'

/**
 * Keeps what came of a message until its answer is sent: a worker that is killed in between answers
 * with it, and asks nobody again. The disk has it when this returns.
 */
export function keepOutcome({ home }: Bus, name: string, message: string, outcome: Outcome): void {
  inHome(home, () => {
    makeDirectory(home.workers)
    replaceFile(home.workerResult(name), `${JSON.stringify({ message, outcome })}\n`)
  })
}

/** What came of a message, where that is known already. */
export function keptOutcome({ home }: Bus, name: string, message: string): Outcome | undefined {
  const value = readJson(home.workerResult(name))
  if (typeof value !== 'object' || value === null || !('message' in value)) return undefined
  return value.message === message && 'outcome' in value ? (value.outcome as Outcome) : undefined
}

export function dropOutcome({ home }: Bus, name: string): void {
  removeFile(home.workerResult(name))
}
