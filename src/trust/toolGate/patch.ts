import type { ToolCall } from '../../message/call.ts'

/** Lines of a patch in Codex's form that name no file. */
const PLAIN = /^\*\*\* (?:Begin Patch|End Patch|End of File)$/
/** Signs that not every reader of such patches takes for the end of a line, or of a path. */
const UNCLEAR = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/

/**
 * The files that a call with a patch in Codex's form writes (`apply_patch`, by
 * codex-rs/apply-patch/src/parser.rs). Undefined where that may not be all that it does: it deletes
 * a file, runs elsewhere, or has a line that this does not know. A line may have blanks around it.
 */
export function patchedPaths({ name, input }: ToolCall): string[] | undefined {
  const [text, ...more] = Object.values(input)
  if (name !== 'apply_patch' || typeof text !== 'string' || more.length > 0) return undefined
  const lines = text.split('\n').map((line) => line.trim())
  if (lines[0] !== '*** Begin Patch' || UNCLEAR.test(text)) return undefined
  const paths = lines
    .filter((line) => line.startsWith('***') && !PLAIN.test(line))
    .map((line) => /^\*\*\* (?:Add File|Update File|Move to): ([^:]+)$/.exec(line)?.[1])
  return paths.every((path) => path !== undefined) ? paths : undefined
}
