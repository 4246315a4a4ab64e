import { isBefore } from './origins.ts'
import { decisionOf } from './record.ts'

/**
 * The first version of Claude Code whose record says who let a call run (`permissionDecision` beside
 * the call's result, read in 2.1.315 to 2.1.329). An older one tells only that a dialog was open.
 */
const TELLS_FROM = '2.1.318'

/** The record's words for a yes that somebody gave in the dialog. */
const PRESSED = ['user_temporary', 'user_permanent']

/**
 * Who let a call run: the user, or what the record names instead (`hook`, `config` …). Undefined
 * while the record has no result of it.
 */
export function answerOf(path: string, call: string): { isYours: boolean; by: string } | undefined {
  const decision = decisionOf(path, call)
  if (decision === undefined) return undefined
  const { version, source, scope } = decision
  if (version !== undefined && isBefore(version, TELLS_FROM)) return { isYours: true, by: 'dialog' }
  const by = typeof source === 'string' ? source : 'nobody'
  // A dialog that a person answers has a scope; what a program resolves has none.
  return { isYours: PRESSED.includes(by) && typeof scope === 'string', by }
}

/**
 * Where the record of a call is: that of the session, or beside it that of the subagent that makes
 * the call.
 */
export function recordOf(transcript: string, agent: string | undefined): string {
  if (agent === undefined) return transcript
  return `${transcript.replace(/\.jsonl$/, '')}/subagents/agent-${agent}.jsonl`
}
