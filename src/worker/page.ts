import type { Ports } from '../chat/ports.ts'
import { midnight } from '../message/time.ts'
import { costsOf, type Spent } from './costs/tally.ts'
import { followStream } from './stream/follow.ts'
import type { StreamLine } from './stream/stream.ts'
import { restart, type Started } from './supervise/control.ts'
import { usable } from './supervise/definitions.ts'

/** What each worker has cost today. */
export function costsToday({ bus }: Pick<Ports, 'bus'>): Spent[] {
  const { home, clock } = bus()
  return costsOf(home, midnight(clock.now())).workers
}

/** Gives what a worker says on a message, from a place on. */
export function followWords(
  name: string,
  message: string,
  from: number,
  onLine: (line: StreamLine) => void,
  ports: Pick<Ports, 'bus'>,
): { done: Promise<void>; stop: () => void } {
  return followStream({ name, message, from, onLine }, ports)
}

/** Ends a worker and starts it again, by the definitions that may be used. */
export function beginAgain(name: string, ports: Ports): Promise<Started> {
  return restart(name, usable(ports))
}
