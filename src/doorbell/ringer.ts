import type { Bus } from '../bus/bus.ts'
import { record } from '../bus/history.ts'
import { findSession, readSessions, type Session } from '../bus/registry.ts'
import { unreadIds } from '../bus/unread.ts'
import { noteWaiting } from '../session/waiting.ts'
import { decideRing, type RingDecision, retryDelay } from './policy.ts'

/** A way to ring. It calls `batch` at the last moment before it does: the ids to ring for, none where they were read meanwhile. */
export type Doorbell = {
  name: string
  ring(session: Session, batch: () => string[]): Promise<RingResult>
}

/** What came of a try. `typed`: something reached the agent's terminal without being a ring. */
export type RingResult = { kind: 'rung'; ids: string[] } | { kind: 'wait'; why: string; typed: boolean }

export type Ringer = {
  /** Rings if there is something to ring for; gives the time after which to look again, in milliseconds. */
  look(): Promise<number>
  close(): void
}

type Memory = { rung: Set<string>; failedTries: number; waiting: { since: number; why: string } | undefined }

/** Rings for each batch of a session's unread messages once, and keeps on trying where it cannot. */
export function createRinger(
  name: string,
  doorbell: Doorbell,
  ports: { bus: Bus; log: (text: string) => void },
): Ringer {
  const memory: Memory = { rung: new Set(), failedTries: 0, waiting: undefined }
  const { bus } = ports
  return {
    look: async () => {
      const decision = decide(name, bus, memory)
      if (decision.kind === 'rest') memory.failedTries = 0
      if (decision.kind !== 'ring')
        return settle(name, ports, memory, decision.kind === 'rest' ? undefined : decision.why, 0)
      const session = findSession(readSessions(bus.home), name)
      if (!session) return 0
      const result = await doorbell.ring(session, () => idsOf(decide(name, bus, memory)))
      if (result.kind === 'rung') {
        noteRung(name, doorbell, ports, memory, result.ids)
        return settle(name, ports, memory, undefined, 0)
      }
      if (result.typed) memory.failedTries += 1
      return settle(name, ports, memory, result.why, decision.ids.length)
    },
    close: () => noteWaiting(bus.home, name, undefined),
  }
}

function decide(name: string, bus: Bus, memory: Memory): RingDecision {
  const unread = unreadIds(bus.home, name)
  for (const id of memory.rung) if (!unread.includes(id)) memory.rung.delete(id)
  return decideRing({ unread, rung: memory.rung, failedTries: memory.failedTries })
}

function idsOf(decision: RingDecision): string[] {
  return decision.kind === 'ring' ? decision.ids : []
}

function noteRung(
  name: string,
  doorbell: Doorbell,
  ports: { bus: Bus; log: (text: string) => void },
  memory: Memory,
  ids: string[],
): void {
  for (const id of ids) memory.rung.add(id)
  memory.failedTries = 0
  if (ids.length === 0) return
  record(ports.bus, 'rung', { ids, to: name, doorbell: doorbell.name })
  ports.log(`rang by ${doorbell.name} for ${ids.join(', ')}`)
}

/** Tells whoever looks what the doorbell waits for, if anything, and gives the time until the next try. */
function settle(
  name: string,
  ports: { bus: Bus; log: (text: string) => void },
  memory: Memory,
  why: string | undefined,
  count: number,
): number {
  const now = ports.bus.clock.now()
  if (why === undefined) {
    if (memory.waiting !== undefined) noteWaiting(ports.bus.home, name, undefined)
    memory.waiting = undefined
    return Number.POSITIVE_INFINITY
  }
  const changed = memory.waiting?.why !== why
  memory.waiting = { since: memory.waiting?.since ?? now, why }
  if (changed) {
    noteWaiting(ports.bus.home, name, { count, since: new Date(memory.waiting.since).toISOString(), why })
    ports.log(`waiting to ring: ${why}`)
  }
  return retryDelay(now - memory.waiting.since)
}
