import { tellAgent } from '../bus/bell.ts'
import type { Bus } from '../bus/bus.ts'
import type { Session } from '../bus/registry.ts'
import { needsWatcher } from './doorbellChoice.ts'
import { believedState } from './stateFile.ts'
import { liveWatcher, stopWatcher } from './watcher.ts'

/**
 * Has a renamed session's doorbells listen to its new bell: the watcher of the old name ends and one of the new name starts, and the agent is told as of
 * a join. Messages that come in between are found by both when they begin to listen.
 */
export async function moveDoorbells(
  bus: Bus,
  from: string,
  session: Session,
  startWatcher: (name: string) => number | undefined,
): Promise<void> {
  await stopWatcher(bus, from)
  const watches = session.pane !== null && needsWatcher(session)
  if (watches && liveWatcher(bus, session.name) === undefined) startWatcher(session.name)
  const agent = believedState(bus.home, session.name, bus.processes)?.agent ?? session.agent
  if (agent && bus.processes.isAlive(agent)) tellAgent(bus.home, agent.pid)
}
