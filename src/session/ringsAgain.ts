import type { Bus } from '../bus/bus.ts'
import { timeOfId } from '../message/id.ts'
import { limitEnd } from './limitEnd.ts'
import type { RingMark } from './ringsFile.ts'
import type { Look } from './ringsLook.ts'
import { type Failed, isAtWork, type SessionState } from './state.ts'
import { believedState } from './stateFile.ts'

/** How long after the first failed turn in a row, the second and the third. In milliseconds. */
const AFTER_MS = [30_000, 2 * 60_000, 8 * 60_000]
/** And after every other one: five rings in the first hour, the first one among them. */
const THEN_MS = 30 * 60_000
/** The turn of a ring has begun after this, on a busy machine too, or never does. In milliseconds. */
const BEGINS_MS = 10_000

/** `since`: when a turn last ended well; what rang after that came to nothing. */
export type Failure = Failed & { since: string }

/** How the session's last turn failed, where none is under way. */
export function failureOf(
  { home, processes }: Pick<Bus, 'home' | 'processes'>,
  name: string,
): Failure | undefined {
  const state = believedState(home, name, processes)
  return state && !isAtWork(state.activity) ? failureIn(state) : undefined
}

/** How the last turn of a session failed. */
export function failureIn({ failed, well = '' }: SessionState): Failure | undefined {
  return failed && { ...failed, since: well }
}

/** Whether a ring's turn failed. What the session has looked at by itself does not ring again. */
export function cameToNothing({ by, at }: RingMark, failure: Failure): boolean {
  return by !== 'inbox' && at >= failure.since && at <= failure.at
}

/**
 * When to ring again after a failed turn, in milliseconds since 1970: later where a ring is under
 * way.
 */
export function nextTry(failure: Failure, seen: Look): number {
  return Math.max(ringsAgainAt(failure), tryOver(failure, seen))
}

/**
 * Whether a message may ring before that: one failure may be chance, so what is sent after the
 * first rings at once.
 */
export function ringsFirst(id: string, failure: Failure, seen: Look, now: number): boolean {
  const { times, at } = failure
  if (times > 1 || limitOf(failure) !== undefined || now < tryOver(failure, seen)) return false
  return timeOfId(id) > Date.parse(at)
}

/**
 * When a session is rung again whose last turn failed: further and further apart, or when the limit
 * ends that the error names. Always after the failure. In milliseconds since 1970.
 */
export function ringsAgainAt(failed: Failed): number {
  return limitOf(failed) ?? Date.parse(failed.at) + (AFTER_MS[failed.times - 1] ?? THEN_MS)
}

function limitOf({ error, at }: Failed): number | undefined {
  const failed = Date.parse(at)
  const end = limitEnd(error, failed)
  return end !== undefined && end > failed ? end : undefined
}

/** Until when a ring since the failure may still begin a turn. */
function tryOver(failure: Failure, { rings }: Look): number {
  const tries = rings.groups.filter(({ mark }) => mark.at > failure.at)
  return Math.max(0, ...tries.map(({ mark }) => Date.parse(mark.at) + BEGINS_MS))
}
