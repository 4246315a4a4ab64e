import type { ToolCall } from '../../message/call.ts'
import type { Unaskable } from '../sendGate/rules.ts'
import type { Effect } from '../shell/reading.ts'
import { dropsQuestion } from './dropped.ts'
import { isOwnSkill, isPlainAgent } from './ownSkill.ts'
import { isOwnTool, saysMore } from './ownTools.ts'
import { placeAt } from './place.ts'
import { effectOfTool, isAgent, saysSomething } from './tool.ts'

/**
 * Where a call is made. `root`: where the session was started; `home`: where agent-chat keeps its
 * files; `mode`: the host's permission mode; `serves`: whether a server of ours runs below the agent.
 */
export type Here = {
  cwd: string | undefined
  root: string | undefined
  home: string
  mode: string | undefined
  env: NodeJS.ProcessEnv
  serves: () => boolean
}

/**
 * What a call does, as far as its name, its text and the files tell. `elsewhere`: its turn is not
 * the session's present one, by which our own commands would be judged.
 */
export function effectOfCall(call: ToolCall, here: Here, elsewhere: boolean): Effect {
  if (isOwnSkill(call, here)) return 'reading'
  if (isAgent(call)) return isPlainAgent(call, here) ? 'reading' : 'changing'
  if (servesTool(call, here)) return elsewhere && saysMore(call.name) ? 'changing' : 'own'
  const effect = effectOfTool(call, placeAt(here.cwd, here.root, here.env))
  return effect === 'own' && elsewhere && saysSomething(call) ? 'changing' : effect
}

/** Whether a call is one of a tool of `agent-chat mcp`, and not of another server of that name. */
export function servesTool({ name }: ToolCall, { serves }: Pick<Here, 'serves'>): boolean {
  return isOwnTool(name) && serves()
}

const GO_ON =
  'Tell your user what you would do; once they type an answer, for example “go on”, you may do it'

/** A call has run in this turn to which the user gave no yes: a program answered in their place. */
export const UNASKED: Unaskable = {
  deny: true,
  why: 'your user did not answer the last question: a program answers for them (see agent-chat doctor)',
  remedy: GO_ON,
}

/** Why no question about this call would reach anybody, or undefined. */
export function unaskable(call: ToolCall, here: Here): Unaskable | undefined {
  if (dropsQuestion(call, here)) {
    return {
      deny: true,
      why: `Claude Code asks nobody about such calls in ${here.mode} mode`,
      remedy: GO_ON,
    }
  }
  const { CLAUDE_CODE_SESSION_ATTENDED, CLAUDE_CODE_ENTRYPOINT } = here.env
  if (CLAUDE_CODE_SESSION_ATTENDED !== '0' && CLAUDE_CODE_ENTRYPOINT !== 'sdk-cli') return undefined
  return {
    deny: false,
    why: 'claude -p can ask nobody',
    remedy:
      'Say what you would do; your user can approve the sender first (agent-chat approve), or do it in a session at a terminal',
  }
}
