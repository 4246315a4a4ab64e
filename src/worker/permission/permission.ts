import type { PostPorts } from '../../chat/post.ts'
import type { Message } from '../../message/message.ts'
import type { Given } from '../../session/given.ts'

/** A call that the client puts to its host (`can_use_tool`). `reason`: its `decision_reason`. */
export type Call = {
  tool: string
  input: Record<string, unknown>
  reason?: string | undefined
  /** The subagent that makes it (`agent_id`), if one does. */
  agent?: string | undefined
}

/** `message`: what the model reads in place of the tool's result. */
export type Decision = { allow: true } | { allow: false; message: string }

export type PermissionRequest = {
  name: string
  /** The definition's `trust` and tools, as the client calls them. */
  trust: 'ask' | 'tools'
  tools: readonly string[]
  cwd: string
  /** Called with one line when the worker begins to wait for the human, and with undefined after. */
  onWait?: (reason: string | undefined) => void
  /** How long it waits. In milliseconds; 30 minutes by default. */
  limitMs?: number
}

/**
 * What a worker's process knows of its turn, and decides by. `give` is called before the line with
 * `prompt` is written to the client, `decide` for each `can_use_tool`, `over` when the turn has
 * ended (the `result` line, or the client's end): calls that still wait are then refused.
 */
export type Permission = {
  give(message: Message, prompt: string): Given
  decide(call: Call): Promise<Decision>
  over(): void
}

export function openPermission(_request: PermissionRequest, _ports: PostPorts): Permission {
  throw new Error('not yet built')
}
