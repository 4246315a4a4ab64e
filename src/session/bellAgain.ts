import { statSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import type { Session } from '../bus/names/registry.ts'
import { needsWatcher, ringsNatively } from './doorbellChoice.ts'
import { ringsAgain } from './rings.ts'

/**
 * When the bell of an agent that listens to it by itself is to be rung again after a failed turn, in
 * milliseconds since 1970; undefined where it is not, or has been.
 */
export function bellAgain(bus: Bus, session: Session): number | undefined {
  if (!ringsNatively(session) || session.watch === false) return undefined
  const at = ringsAgain(bus, session.name)
  if (at === undefined) return undefined
  const rung = statSync(bus.home.ring(session.name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return rung < at ? at : undefined
}

/** When the first of these sessions is to be rung again after a failed turn, if one is. */
export function nextRingAgain(bus: Bus, sessions: Session[]): number | undefined {
  const now = bus.clock.now()
  const times = sessions.flatMap((session) => {
    const at = bellAgain(bus, session) ?? (needsWatcher(session) && ringsAgain(bus, session.name))
    return at && at > now ? at : []
  })
  return times.length === 0 ? undefined : Math.min(...times)
}
