import { rmSync } from 'node:fs'
import type { Home } from '../bus/home.ts'
import { makeDirectory, replaceFileSoon } from '../system/files.ts'
import { readJson } from '../system/json.ts'

/** Messages that a doorbell could not announce yet: how many, since when (ISO 8601), and why. */
export type Waiting = { count: number; since: string; why: string }

/** Tells others what this session's doorbell waits for; undefined for nothing. */
export function noteWaiting(
  home: Pick<Home, 'waiting' | 'states'>,
  name: string,
  waiting: Waiting | undefined,
): void {
  if (waiting === undefined) rmSync(home.waiting(name), { force: true })
  else {
    makeDirectory(home.states)
    replaceFileSoon(home.waiting(name), `${JSON.stringify(waiting)}\n`)
  }
}

/** What the session's doorbell waits for, as it last said. */
export function readWaiting(home: Pick<Home, 'waiting'>, name: string): Waiting | undefined {
  const value = readJson(home.waiting(name))
  return isWaiting(value) ? value : undefined
}

function isWaiting(value: unknown): value is Waiting {
  return (
    typeof value === 'object' &&
    value !== null &&
    'count' in value &&
    typeof value.count === 'number' &&
    'since' in value &&
    typeof value.since === 'string' &&
    'why' in value &&
    typeof value.why === 'string'
  )
}
