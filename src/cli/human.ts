import { CodedError } from '../errors.ts'
import { believedState } from '../session/stateFile.ts'
import { isOpen } from '../session/turn.ts'
import { whoMaybe } from './identity.ts'
import type { Ports } from './ports.ts'

/**
 * Lets a command pass that only the human may give: from a terminal that is no agent's, or from an agent in a turn in which the human has a word.
 * Throws `GATE_REFUSED`.
 */
export function requireHuman(command: string, ports: Pick<Ports, 'bus' | 'env'>): void {
  const me = whoMaybe(ports)
  if (!me) return
  const bus = ports.bus()
  const state = believedState(bus.home, me.name, bus.processes)
  if (!state || state.gate === 'off' || isOpen(state.turn)) return
  throw new CodedError('GATE_REFUSED', `agent-chat ${command} is the user's to say, and a message began this turn`, {
    hint: 'tell your user what you would like to do; they can run it themselves',
  })
}
