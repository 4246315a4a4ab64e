import { rmSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { record } from '../bus/history.ts'
import { tellAgent } from '../bus/mail/bell.ts'
import { findSession, nameMeant, type Session, updateSessions } from '../bus/names/registry.ts'
import { faultPoint } from '../system/fault.ts'
import type { ProcessRef } from '../system/processes.ts'
import { disownConversation } from './former.ts'
import { endWatcher, watchersNow } from './keepWatcher.ts'
import { believedState } from './stateFile.ts'
import { stopWatcher, watcherOf } from './watcher.ts'

/**
 * Unregisters a session, by its name or one that it had before, and ends its watcher, and the
 * home's where no other session needs that; its unread messages stay. False where it was not
 * registered.
 */
export async function leave(
  formerly: string,
  ports: { bus: Bus },
  onlyIf?: (session: Session) => boolean,
): Promise<boolean> {
  let left = false
  let name = formerly
  let watcher: ProcessRef | undefined
  let ofHome = watchersNow(ports.bus)
  /** The file that the agent reads prompts from: no socket, which ends with its server. */
  let prompts: string | undefined
  await updateSessions(ports.bus, (sessions) => {
    name = nameMeant(ports.bus.home, sessions, formerly)
    watcher = watcherOf(ports.bus.home, name)
    ofHome = watchersNow(ports.bus)
    const session = findSession(sessions, name)
    left = session !== undefined && (onlyIf?.(session) ?? true)
    prompts = session?.server?.endsWith('.jsonl') ? session.server : undefined
    return left
      ? Object.fromEntries(Object.entries(sessions).filter(([key]) => key !== name))
      : undefined
  })
  if (!left) return false
  faultPoint('leave:unregistered')
  if (prompts) rmSync(prompts, { force: true })
  disownConversation(ports.bus, name)
  record(ports.bus, 'left', { name })
  await stopWatcher(ports.bus, name, watcher)
  await endWatcher(ports.bus, ofHome)
  return true
}

/**
 * Has a renamed session's agent listen to its new bell, as after a join. A watcher follows by
 * itself.
 */
export function tellOfRename(bus: Bus, { name, agent: registered }: Session): void {
  const agent = believedState(bus.home, name, bus.processes)?.agent ?? registered
  if (agent && bus.processes.isAlive(agent)) tellAgent(bus.home, agent.pid)
}
