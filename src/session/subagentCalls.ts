import type { Bus } from '../bus/bus.ts'
import { argumentsOf } from '../system/commandLine.ts'
import { digestOf } from '../system/digest.ts'
import { ancestors, isShell } from './agent.ts'
import type { SessionState } from './state.ts'
import { readState } from './stateFile.ts'
import type { SubagentCall } from './turn.ts'

/** More than a session's subagents run at once. */
const MAX_CALLS = 50

/** The state once a subagent is about to make a call. */
export function withCall(state: SessionState, call: SubagentCall): SessionState {
  const others = state.calls?.filter((one) => one.call !== call.call) ?? []
  return { ...state, calls: [...others, call].slice(-MAX_CALLS) }
}

/** The state without the calls that have ended, or may be taken for another's. */
export function withoutCalls(
  { calls = [], ...state }: SessionState,
  isGone: (call: SubagentCall) => boolean,
): SessionState {
  const left = calls.filter((one) => !isGone(one))
  return left.length === 0 ? state : { ...state, calls: left }
}

/**
 * Stands for a command, however a shell has quoted it, and whatever Claude Code gives it as an empty
 * standard input.
 */
export function keyOf(command: string): string {
  const bare = command.replace(/['"\\\s]/g, '').replaceAll('</dev/null', '')
  return digestOf(Buffer.from(bare)).slice(0, 16)
}

/** What Claude Code puts around a command: its own settings before, and the folder after it. */
const WRAPPED = /(?:^|&& )eval (.*) && pwd -P >\| \S+\s*$/s

/**
 * The subagent of this session whose call runs this process: the host names the call, or a shell
 * above has its command. Undefined for the main conversation, and where nothing tells.
 */
export function subagentHere(
  name: string,
  { home, processes }: Pick<Bus, 'home' | 'processes'>,
  env: NodeJS.ProcessEnv,
  wordsOf = argumentsOf,
): SubagentCall | undefined {
  const state = readState(home, name)
  const calls = state?.calls ?? []
  if (calls.length === 0) return undefined
  const named = calls.find(({ call }) => call === env.CLAUDE_CODE_TOOL_USE_ID)
  if (named) return named
  for (const above of ancestors(processes, processes.self().pid, state?.agent?.pid)) {
    const command = isShell(above.command) ? commandIn(wordsOf(above.pid) ?? []) : undefined
    const key = command === undefined ? undefined : keyOf(command)
    const found = key === undefined ? undefined : calls.findLast((one) => one.key === key)
    if (found) return found
  }
  return undefined
}

/** The command that a shell was given, without what Claude Code puts around it. */
function commandIn(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word))
  if (at < 0) return undefined
  const text = words
    .slice(at + 1)
    .join(' ')
    .replace(/^(?:-\w+ )+/, '')
  return WRAPPED.exec(text)?.[1] ?? text
}
