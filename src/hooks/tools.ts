import { earlyToolUse, preToolUse } from './events/tool.ts'
import { postToolUse } from './events/tool-end.ts'
import type { Hooks } from './run.ts'

/** The hooks that judge a tool call, before it runs: a program of their own with the whole gate. */
export const BEFORE_TOOL: Hooks = {
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
}

/** The hook of a call that has run: another one, with that part of the gate that tells work. */
export const AFTER_TOOL: Hooks = {
  'post-tool-use': {
    run: postToolUse,
    onFault: 'open',
    costs: 'work or a yes is not counted: the gate stays closed',
  },
}
