import { tellAgent } from '../bus/bell.ts'
import type { Bus } from '../bus/bus.ts'
import type { Session } from '../bus/registry.ts'
import { believedState } from './stateFile.ts'

/** Has a renamed session's agent listen to its new bell, as after a join. A watcher follows by itself. */
export function tellOfRename(bus: Bus, { name, agent: registered }: Session): void {
  const agent = believedState(bus.home, name, bus.processes)?.agent ?? registered
  if (agent && bus.processes.isAlive(agent)) tellAgent(bus.home, agent.pid)
}
