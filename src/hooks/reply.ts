/** What a hook answers: text for standard output, text for standard error, and the exit code, where 2 means something to Claude Code. */
export type Reply = { stdout?: string; stderr?: string; exit?: 0 | 2 }

/** Nothing to say. */
export const SILENT: Reply = {}

/** Adds facts to what the model knows, with further fields of the event's own output. */
export function addContext(event: string, text: string | undefined, fields: Record<string, unknown> = {}): Reply {
  const context = text === undefined ? {} : { additionalContext: text }
  return { stdout: `${JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...context, ...fields } })}\n` }
}
