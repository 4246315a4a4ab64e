import type { Bus } from '../bus/bus.ts'
import { writeMe, writePeer, writeSeen } from '../bus/remote/peers.ts'

/** Makes a home that of machine b, which has heard of machine a with @backend and @ops. */
export function linkWithA(bus: Pick<Bus, 'home'>): void {
  writeMe(bus, { host: 'b', id: 'home-of-b' })
  writePeer(bus, { host: 'a', id: 'home-of-a', created: '2026-11-21T03:39:12.123Z' })
  const sessions = ['backend', 'ops'].map((name) => ({ name, state: 'idle' }))
  // It is up for as long as a test may take.
  const everyMs = 60 * 60_000
  writeSeen(bus.home, 'a', { version: '1.0.0', sessions, skewMs: 0, roundTripMs: 2, everyMs })
}
