import type { Bus } from '../bus/bus.ts'
import type { RemoteSession } from '../bus/remote/peers.ts'
import { aliveByProcess } from '../session/roster.ts'
import { believedState } from '../session/stateFile.ts'
import { sessionsAndWorkers, shownWorker } from '../session/workers.ts'

/** What other machines are told of the sessions here: their names, and what each is doing. */
export function rosterOf(bus: Bus): RemoteSession[] {
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
