import { record } from '../bus/history.ts'
import { CodedError } from '../errors.ts'
import { parseMode } from '../gate/rules.ts'
import { believedState } from '../session/stateFile.ts'
import type { Turn } from '../session/turn.ts'
import { whoMaybe } from './identity.ts'
import type { Ports } from './ports.ts'

/**
 * Lets a command pass that only the human may give: from a terminal that is no agent's, or from an
 * agent in a turn in which the human has spoken. Throws `GATE_REFUSED`.
 */
export function requireHuman(command: string, ports: Pick<Ports, 'bus' | 'env'>): void {
  const me = whoMaybe(ports)
  if (!me) return
  const bus = ports.bus()
  const state = believedState(bus.home, me.name, bus.processes)
  // Nothing tells of the turns of an agent without hooks: what runs below it is its own.
  const why = state
    ? 'they have not typed anything in this turn'
    : 'nothing shows whose turn this is'
  if (state ? parseMode(state.gate) === 'off' || isOwn(state.turn) : me.source !== 'agent') return
  const reason = `agent-chat ${command} is for your user only, and ${why}`
  record(bus, 'refused', { name: me.name, rule: 'human approval', reason, mode: 'enforce' })
  throw new CodedError('GATE_REFUSED', reason, {
    hint: 'ask your user: they can tell you to run it, or run it in their own terminal',
  })
}

/**
 * Whether the human has spoken in the turn. A yes to one call is none to what comes after the turn.
 */
function isOwn(turn: Turn | undefined): boolean {
  return turn === undefined || turn.began === 'human' || turn.opened === 'prompt'
}
