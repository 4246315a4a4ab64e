import type { Said } from './agent.ts'

type Fields = Record<string, unknown>

/** The tools that OpenCode and pi share, by the names of Claude Code's. */
export const EXTENSION_TOOLS = {
  bash: 'Bash',
  write: 'Write',
  edit: 'Edit',
  read: 'Read',
  grep: 'Grep',
}

/** Tools by Claude Code's names, from those with the agent's own names of each. */
export function toolsBy(names: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(names)
  return Object.fromEntries(pairs.flatMap(([is, own]) => own.split(' ').map((one) => [one, is])))
}

/** An answer as our extensions in `hosts/` read it. `human`: a line for the person, where they show one. */
export function forExtension(
  { additionalContext, watchPaths, ...said }: Said,
  human?: string,
): Fields {
  const { permissionDecision: decision, permissionDecisionReason: reason } = said
  return { context: additionalContext, human, watchPaths, decision, reason }
}

/**
 * A call of a shell as Claude Code would make it: a directory of its own is a `cd` before it, and
 * one that goes on beside the turn says so.
 */
export function asClaudeCall(payload: Fields): Fields {
  const { tool_input: given } = payload
  if (typeof given !== 'object' || given === null) return payload
  const { dir_path, directory = dir_path, path, mode, detach, ...input } = given as Fields
  const { command } = input
  if (typeof command !== 'string')
    return { ...payload, tool_input: path === undefined ? given : { ...given, file_path: path } }
  const to =
    typeof directory === 'string' && directory !== '' ? `cd -- ${quoted(directory)} && ` : ''
  const goesOn = input.is_background === true || mode === 'async' || detach === true
  return {
    ...payload,
    tool_input: { ...input, command: to + command, ...(goesOn ? { run_in_background: true } : {}) },
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
