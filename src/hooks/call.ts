import type { ToolCall } from '../message/call.ts'
import type { SessionState } from '../session/state.ts'
import { readState } from '../session/stateFile.ts'
import { turnOf } from '../session/subagents.ts'
import type { Turn } from '../session/turn.ts'
import { pause } from '../system/timeLeft.ts'
import { type Payload, textOf } from './payload.ts'
import type { HookPorts } from './ports.ts'

/**
 * The hook that tells of a dialog runs beside it, and on a busy machine it may come after the hook
 * that tells that the call has run, by so much at most. In milliseconds.
 */
export const DIALOG_MS = 3000

/**
 * Who let an approved call run is known so long after it at most: the hook that finds it out ends
 * after 5 s. In milliseconds.
 */
export const ANSWER_MS = 4000

const LOOK_MS = 20

/** The session's state, once `isEarly` says no of it and of the milliseconds that were waited. */
export function waitedFor(
  { bus }: Pick<HookPorts, 'bus'>,
  name: string,
  state: SessionState,
  isEarly: (now: SessionState, waited: number) => boolean,
): SessionState {
  let now = state
  for (let waited = 0; isEarly(now, waited); waited += LOOK_MS) {
    pause(LOOK_MS)
    now = readState(bus().home, name) ?? now
  }
  return now
}

/** The turn that a call belongs to. */
export function turnIn(state: SessionState, payload: Payload): Turn | undefined {
  return turnOf(state, textOf(payload, 'agent_id'))
}

/**
 * Whether it is noted who makes this call: a subagent, or the main conversation by a command that
 * could be taken for a subagent's.
 */
export function tellsCaller(payload: Payload, { calls }: SessionState): boolean {
  const { name, input } = toolOf(payload)
  const runs = typeof input.command === 'string' || name.startsWith('mcp__')
  return runs && (textOf(payload, 'agent_id') !== undefined || calls !== undefined)
}

/** The call that a payload tells of. */
export function toolOf(payload: Payload): ToolCall {
  const input = payload.tool_input
  return {
    name: textOf(payload, 'tool_name') ?? '',
    input: typeof input === 'object' && input !== null ? { ...input } : {},
  }
}
