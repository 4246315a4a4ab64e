import type { Bus } from '../bus/bus.ts'
import type { RemoteSession } from '../bus/remote/peers.ts'
import { isCoded } from '../errors.ts'
import { aliveByProcess } from '../session/roster.ts'
import { believedState } from '../session/stateFile.ts'
import { sessionsAndWorkers, shownWorker } from '../session/workers.ts'

/**
 * What other machines are told of the sessions here: their names, and what each is doing. While the
 * registry cannot be read, what was told last: `doctor` repairs it, and nobody has left.
 */
export function rosterFor(bus: Bus): () => RemoteSession[] {
  let last: RemoteSession[] = []
  return () => {
    try {
      last = rosterOf(bus)
    } catch (error) {
      if (!isCoded(error, 'REGISTRY_BROKEN')) throw error
    }
    return last
  }
}

function rosterOf(bus: Bus): RemoteSession[] {
  const { home, processes } = bus
  return Object.values(sessionsAndWorkers(bus))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((session) => {
      const { name } = session
      const worker = shownWorker(bus, name)?.activity
      const gone = aliveByProcess(session, processes) === 'gone'
      const state = worker ?? (gone ? 'gone' : believedState(home, name, processes)?.activity)
      return { name, state: state ?? 'unknown' }
    })
}
