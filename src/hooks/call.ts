import type { ToolCall } from '../gate/tool.ts'
import type { SessionState } from '../session/state.ts'
import { turnOf } from '../session/subagents.ts'
import type { Turn } from '../session/turn.ts'
import { type Payload, textOf } from './payload.ts'

/** The turn that a call belongs to. */
export function turnIn(state: SessionState, payload: Payload): Turn | undefined {
  return turnOf(state, textOf(payload, 'agent_id'))
}

/** The call that a payload tells of. */
export function toolOf(payload: Payload): ToolCall {
  const input = payload.tool_input
  return {
    name: textOf(payload, 'tool_name') ?? '',
    input: typeof input === 'object' && input !== null ? { ...input } : {},
  }
}
