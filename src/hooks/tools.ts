import { earlyToolUse, preToolUse } from './events/tool.ts'
import { postToolUse } from './events/tool-end.ts'
import type { Hooks } from './run.ts'

/** The hooks of a tool call: a program of their own, since only they judge what a call does. */
export const TOOL_HOOKS: Hooks = {
  'pre-tool-use': {
    run: preToolUse,
    onFault: 'closed',
    costs: 'you are asked about a call that needed no question',
  },
  'early-tool-use': {
    run: earlyToolUse,
    onFault: 'closed',
    costs: 'you are asked about a call that needed no question',
  },
  'post-tool-use': {
    run: postToolUse,
    onFault: 'open',
    costs: 'work or a yes is not counted: the gate stays closed',
  },
}
