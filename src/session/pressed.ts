import type { Bus } from '../bus/bus.ts'
import { readSessions } from '../bus/names/registry.ts'
import { type ProcessInfo, sameProcess } from '../system/processes.ts'
import { believedState } from './stateFile.ts'

/**
 * The session whose Claude Code itself started this process, in its own process group and before
 * its terminal: so it runs what a mod asks for (2.1.329). Its hooks, and whatever the model runs in
 * a shell, are in sessions of the kernel's of their own, and no process can leave such a session for
 * another one's group. Undefined for all of these.
 */
export function pressedIn(bus: Bus): string | undefined {
  const { home, processes } = bus
  const self = processes.find(processes.self().pid)
  const client = self && processes.find(self.parent)
  if (!client || !isBeside(self, client)) return undefined
  return Object.values(readSessions(home)).find(
    ({ name, agent }) =>
      // A session that was joined from outside knows its agent by the hooks alone.
      (agent === null || sameProcess(agent, client)) &&
      sameProcess(believedState(home, name, processes)?.agent, client),
  )?.name
}

/** Whether a child is in the group of its parent, and that group has the keyboard. */
export function isBeside(
  self: Pick<ProcessInfo, 'group' | 'foreground'>,
  parent: Pick<ProcessInfo, 'group'>,
): boolean {
  return self.foreground > 0 && self.group === self.foreground && self.group === parent.group
}
