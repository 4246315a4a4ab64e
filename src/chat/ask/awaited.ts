import type { Bus } from '../../bus/bus.ts'
import { ring } from '../../bus/mail/bell.ts'
import { dropMark, marksOf } from '../../bus/mail/marks.ts'
import { sameProcess } from '../../system/processes.ts'

/**
 * Lets ring what came for this process to `name` while it waited, and what it has not shown: a
 * second answer, or one that could not be printed. To be called once nobody sees any more that it
 * waits, so that what comes later rings by itself. Gives how many messages that are.
 */
export function releaseAwaited(bus: Bus, name: string, shown: string | undefined): number {
  const { home, processes } = bus
  const self = processes.self()
  const ids = Object.entries(marksOf(home, name))
    .filter(([id, { waiter }]) => id !== shown && sameProcess(waiter, self))
    .map(([id]) => id)
  for (const id of ids) dropMark(home, name, id)
  if (ids.length > 0) ring(bus, name)
  return ids.length
}
