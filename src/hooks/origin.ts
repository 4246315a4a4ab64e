import { existsSync } from 'node:fs'
import { record } from '../bus/history.ts'
import type { SessionState } from '../session/state.ts'
import { changeState } from '../session/stateFile.ts'
import { disowned } from '../session/turn.ts'
import { pause } from '../system/timeLeft.ts'
import type { Participant } from './participant.ts'
import { type Payload, textOf } from './payload.ts'
import type { HookPorts } from './ports.ts'
import { originOf } from './transcript.ts'

/**
 * The host writes its record about every 100 ms, on a busy machine later; a model takes about as
 * long to its first tool call. In milliseconds.
 */
const LATE_MS = 1500
const LOOK_MS = 25

/**
 * Closes a turn that began with words like a human's and was begun by another session of the
 * host's, or by a schedule: their prompts carry no mark, and only the host's record tells, a moment
 * later. Gives the state that holds.
 */
export function withOrigin(
  ports: HookPorts,
  payload: Payload,
  who: Participant,
  state: SessionState,
): SessionState {
  const id = textOf(payload, 'prompt_id')
  const path = textOf(payload, 'transcript_path')
  if (
    state.turn?.began !== 'human' ||
    id === undefined ||
    path === undefined ||
    state.turn.checked === id
  )
    return state
  if (awaitOrigin(ports, path, id, Date.parse(state.turn.at)) !== 'other') return state
  const bus = ports.bus()
  recordDisowned(ports, who)
  const close = (before: SessionState | undefined) =>
    before?.turn?.began === 'human' ? { ...before, turn: disowned(before.turn, id) } : undefined
  return changeState(bus, who.name, close) ?? state
}

export function recordDisowned(ports: HookPorts, { name }: Pick<Participant, 'name'>): void {
  record(ports.bus(), 'disowned', {
    name,
    reason: 'the user did not write the prompt of this turn',
  })
}

function awaitOrigin(
  ports: HookPorts,
  path: string,
  id: string,
  began: number,
): 'human' | 'other' | undefined {
  for (;;) {
    const origin = originOf(path, id)
    if (origin !== undefined || ports.bus().clock.now() - began >= LATE_MS || !existsSync(path))
      return origin
    pause(LOOK_MS)
  }
}
