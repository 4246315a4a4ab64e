/**
 * What a hook answers: text for standard output, text for standard error, and the exit code, where
 * 2 means something to Claude Code.
 * `after` runs once the text has been written: what is only true then.
 */
export type Reply = { stdout?: string; stderr?: string; exit?: 0 | 2; after?: () => void }

/** Nothing to say. */
export const SILENT: Reply = {}

/**
 * Fields of an event's own output, for example facts for the model (`additionalContext`) or
 * directories to watch (`watchPaths`), and a line for the human.
 */
export function answer(event: string, fields: Record<string, unknown>, human?: string): Reply {
  const hookSpecificOutput = { hookEventName: event, ...fields }
  return { stdout: `${JSON.stringify({ systemMessage: human, hookSpecificOutput })}\n` }
}

/**
 * A line for the human, on the screen at once after a prompt, after the tool else. The model does
 * not see it.
 */
export function notice(text: string): Reply {
  return { stdout: `${JSON.stringify({ systemMessage: text })}\n` }
}
