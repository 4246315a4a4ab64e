import { record } from '../bus/history.ts'
import { CodedError } from '../errors.ts'
import { parseMode } from '../gate/rules.ts'
import { HUMAN } from '../message/name.ts'
import { believedState } from '../session/stateFile.ts'
import type { Turn } from '../session/turn.ts'
import { whoMaybe } from './identity.ts'
import type { Ports } from './ports.ts'

/**
 * Lets a command pass that only the human may give: from a terminal that is no agent's, or from an
 * agent in a turn in which the human has spoken. Throws `GATE_REFUSED`.
 */
export function requireHuman(command: string, ports: Pick<Ports, 'bus' | 'env' | 'pressed'>): void {
  if (ports.pressed) return
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

/** What is typed into the human's own surface is their word, so no agent may have it. */
export function requireOwnPlace(command: string, ports: Pick<Ports, 'bus' | 'env'>): void {
  const me = whoMaybe(ports)
  const agent =
    me !== undefined && me.name !== HUMAN ? `this is the place of @${me.name}` : undefined
  const why =
    agent ?? (ports.env.CLAUDECODE || ports.env.CLAUDE_PID ? 'an agent runs this' : undefined)
  if (why === undefined) return
  throw new CodedError('GATE_REFUSED', `agent-chat ${command} is for your user only, and ${why}`, {
    hint: 'open it in a terminal outside any session; if a session here has ended: agent-chat leave <name>',
  })
}

/**
 * Whether the human has spoken in the turn. A yes to one call is none to what comes after the turn.
 */
function isOwn(turn: Turn | undefined): boolean {
  return turn === undefined || turn.began === 'human' || turn.opened === 'prompt'
}
