import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { record } from '../bus/history.ts'
import { findSession, readSessions, type Session } from '../bus/names/registry.ts'
import { isCoded } from '../errors.ts'
import { isoTime } from '../message/time.ts'
import { claimRing, settleRing, unclaimRing, unrungIds } from '../session/rings.ts'
import { isAtWork } from '../session/state.ts'
import { believedState } from '../session/stateFile.ts'
import { noteWaiting } from '../session/waiting.ts'
import { decideRing, type RingDecision, retryDelay } from './policy.ts'

/**
 * A way to ring. It calls `claim` at the last moment before it does: the ids to ring for, none
 * where they were read meanwhile. With `unheard`, which is then why it waits, it rings only where
 * the agent listens by now and did not at the last tries.
 */
export type Doorbell = {
  name: string
  /** Whether it asks the agent itself what that is doing: then hooks need not tell. */
  asks?: true
  /** Has `wake` called when the agent says that it does something else now. */
  onChange?: (wake: () => void) => void
  ring(session: Session, claim: () => string[], unheard?: string): Promise<RingResult>
}

/**
 * What came of a try. `typed`: something reached the agent's terminal without being a ring;
 * `undrawn`: and all of it may still come to be drawn.
 */
export type RingResult =
  | { kind: 'rung' }
  | { kind: 'wait'; why: string; typed: boolean; left?: Left; undrawn?: true }

/**
 * A line that was to ring, and how much of it has been typed: it stands in the box, or will when
 * the agent comes to draw it.
 */
export type Left = { line: string; typed: string }

export type Ringer = {
  /**
   * Rings if there is something to ring for; gives the time after which to look again, in
   * milliseconds.
   */
  look(): Promise<number>
  close(): void
}

export type RingerRequest = {
  /** As it was registered when the watcher started. */
  session: Session
  /** Its name, which a rename in the middle of a ring changes. */
  nameNow: () => string
  doorbell: Doorbell
  /** Whether what the agent's own bell can announce is left to it at first. */
  leaveToNative: boolean
}

export type RingerPorts = { bus: Bus; log: (text: string) => void }

type Memory = {
  seen: Map<string, number>
  failedTries: number
  waiting: { since: number; why: string } | undefined
  session: Session | undefined
}

/**
 * `busy` and `asking` are doubted when they are this old: no hook tells that the user interrupted
 * the turn. In milliseconds.
 */
const DOUBT_MS = 3000

/** An agent whose hooks tell of its start is up after this at the most. In milliseconds. */
export const COMING_UP_MS = 10_000

/**
 * Rings once for each batch of a session's unread messages, leaves to the agent's own bell what
 * that can do, and keeps on trying.
 */
export function createRinger(request: RingerRequest, ports: RingerPorts): Ringer {
  const { session } = request
  const { name } = session
  const memory: Memory = { seen: new Map(), failedTries: 0, waiting: undefined, session }
  const { bus } = ports
  return {
    look: async () => {
      const { decision, count } = decide(request, bus, memory)
      if (decision.kind === 'leave') {
        settle(name, ports, memory, undefined, count)
        return decision.until - bus.clock.now()
      }
      if (decision.kind === 'rest') memory.failedTries = 0
      if (decision.kind !== 'ring')
        return settle(
          name,
          ports,
          memory,
          decision.kind === 'wait' ? decision.why : undefined,
          count,
        )
      const session = sessionNow(name, bus, memory)
      if (!session) return retryDelay(0)
      const why = await ring(session, decision.unheard, request, ports, memory)
      return settle(name, ports, memory, why, count)
    },
    close: () => noteWaiting(bus.home, name, undefined),
  }
}

/** What a session is doing, as far as a doorbell may count on it. */
export function activityNow(name: string, bus: Bus) {
  const state = believedState(bus.home, name, bus.processes)
  if (state === undefined) return { activity: 'unknown' as const, doubtful: false, state }
  const old = bus.clock.now() - Date.parse(state.since) > DOUBT_MS
  return {
    activity: state.activity,
    doubtful: old && isAtWork(state.activity),
    state,
  }
}

function decide(
  { session: { name }, leaveToNative, doorbell }: RingerRequest,
  bus: Bus,
  memory: Memory,
): { decision: RingDecision; count: number } {
  const now = bus.clock.now()
  const ids = new Set(unrungIds(bus, name))
  for (const id of memory.seen.keys()) if (!ids.has(id)) memory.seen.delete(id)
  for (const id of ids) if (!memory.seen.has(id)) memory.seen.set(id, now)
  const { activity, doubtful, state } = activityNow(name, bus)
  const starting = !doorbell.asks && state === undefined && isComingUp(name, bus, memory)
  const decision = decideRing({
    unrung: [...memory.seen].map(([id, seen]) => ({ id, seen })),
    now,
    paused: existsSync(bus.home.paused),
    activity: doubtful || doorbell.asks ? 'unknown' : activity,
    idleSince: state?.activity === 'idle' ? Date.parse(state.since) : undefined,
    native: leaveToNative && !doorbell.asks && (state?.native ?? starting),
    starting,
    failedTries: memory.failedTries,
  })
  return { decision, count: ids.size }
}

/**
 * A Claude Code that has just started tells of itself in a moment, and rings for what is unread by
 * itself.
 */
function isComingUp(name: string, bus: Bus, memory: Memory): boolean {
  const session = sessionNow(name, bus, memory)
  return session?.native === true && bus.clock.now() - Date.parse(session.joined_at) < COMING_UP_MS
}

/**
 * The session as it is registered; as it last was where the registry cannot be read, which is for
 * `doctor` to mend.
 */
function sessionNow(name: string, bus: Bus, memory: Memory): Session | undefined {
  try {
    memory.session = findSession(readSessions(bus.home), name)
  } catch (error) {
    if (!isCoded(error, 'REGISTRY_BROKEN')) throw error
  }
  return memory.session
}

/**
 * Rings, and gives the reason where that could not be. What was claimed and not rung is given back.
 */
async function ring(
  session: Session,
  unheard: string | undefined,
  { doorbell, nameNow }: RingerRequest,
  { bus, log }: RingerPorts,
  memory: Memory,
): Promise<string | undefined> {
  let ids: string[] = []
  const claim = () => {
    ids = claimRing(bus, session.name, doorbell.name)
    return ids
  }
  const result = await doorbell.ring(session, claim, unheard)
  if (result.kind === 'wait') {
    if (result.typed) memory.failedTries = unheard === undefined ? memory.failedTries + 1 : 1
    if (ids.length > 0) unclaimRing(bus, nameNow(), ids)
    return result.why
  }
  memory.failedTries = 0
  if (ids.length === 0) return undefined
  settleRing(bus, nameNow(), doorbell.name, ids, false)
  record(bus, 'rung', { ids, to: nameNow(), doorbell: doorbell.name })
  log(`rang by ${doorbell.name} for ${ids.join(', ')}`)
  return undefined
}

/**
 * Tells whoever looks what the doorbell waits for, if anything, and gives the time until the next
 * try.
 */
function settle(
  name: string,
  { bus, log }: RingerPorts,
  memory: Memory,
  why: string | undefined,
  count: number,
): number {
  const now = bus.clock.now()
  if (why === undefined) {
    if (memory.waiting !== undefined) noteWaiting(bus.home, name, undefined)
    memory.waiting = undefined
    return Number.POSITIVE_INFINITY
  }
  const changed = memory.waiting?.why !== why
  memory.waiting = { since: memory.waiting?.since ?? now, why }
  if (changed) {
    noteWaiting(bus.home, name, { count, since: isoTime(memory.waiting.since), why })
    log(`not delivered yet: ${why}`)
  }
  return retryDelay(now - memory.waiting.since)
}
