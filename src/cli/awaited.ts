import { ring } from '../bus/bell.ts'
import type { Bus } from '../bus/bus.ts'
import { dropMark, heldMarks } from '../bus/held.ts'

/**
 * Lets ring what came for this process to `name` while it waited, and what it has not shown: a second answer, or one that could not be printed. To be
 * called once nobody sees any more that it waits, so that what comes later rings by itself. Gives how many messages that are.
 */
export function releaseAwaited({ home, processes }: Bus, name: string, shown: string | undefined): number {
  const self = processes.self()
  const ids = Object.entries(heldMarks(home, name))
    .filter(([id, { waiter }]) => id !== shown && waiter?.pid === self.pid && waiter.started === self.started)
    .map(([id]) => id)
  for (const id of ids) dropMark(home, name, id)
  if (ids.length > 0) ring(home, name)
  return ids.length
}
