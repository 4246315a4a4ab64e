import type { Bus } from '../bus/bus.ts'
import { findSession, readSessions } from '../bus/names/registry.ts'
import { aliveByProcess } from './roster.ts'
import { changeState, findState } from './stateFile.ts'

/**
 * The name that a conversation of the host's had when its process ended, where no other session has
 * that by now. `conversation` is the host's id of it, which a resumed one keeps.
 */
export function formerName({ home, processes }: Bus, conversation: string): string | undefined {
  const found = findState(
    home,
    ({ session_id, agent }) =>
      session_id === conversation && agent !== null && !processes.isAlive(agent),
  )
  const holder = found && findSession(readSessions(home), found.name)
  return !holder || aliveByProcess(holder, processes) === 'gone' ? found?.name : undefined
}

/** A session has left while its agent goes on: the conversation is nobody's any more. */
export function disownConversation(bus: Bus, name: string): void {
  changeState(bus, name, (state) =>
    state?.agent && bus.processes.isAlive(state.agent)
      ? { ...state, session_id: null, agent: null }
      : undefined,
  )
}
