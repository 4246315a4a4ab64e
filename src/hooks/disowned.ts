import { record } from '../bus/history.ts'
import type { SessionState } from '../session/state.ts'
import { changeState } from '../session/stateFile.ts'
import { disowned } from '../session/turn.ts'
import { beganElsewhere } from './origin.ts'
import type { Participant } from './participant.ts'
import { type Payload, textOf } from './payload.ts'
import type { HookPorts } from './ports.ts'

/**
 * Closes a turn that began elsewhere. Gives the state that holds. The host's record grows: what was
 * found in it once may be out of sight at a second look.
 */
export function withOrigin(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
  state: SessionState,
  elsewhere = beganElsewhere(ports, payload, state),
): SessionState {
  const id = textOf(payload, 'prompt_id')
  if (id === undefined || !elsewhere) return state
  recordDisowned(ports, who)
  const close = (before: SessionState | undefined) =>
    before?.turn?.began === 'human' ? { ...before, turn: disowned(before.turn, id) } : undefined
  return changeState(ports.bus(), who.name, close) ?? state
}

export function recordDisowned(ports: HookPorts, { name }: Pick<Participant, 'name'>): void {
  record(ports.bus(), 'disowned', {
    name,
    reason: 'the user did not write the prompt of this turn',
  })
}
