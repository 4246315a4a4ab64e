/**
 * A prompt as the room inside Claude Code saw it, before its turn. `kind`: where the client says it
 * came from, `composer` for what a person entered. `key` stands for its text, `at` is when, and
 * `typed` when a person last entered one (Unix time in milliseconds).
 */
export type Witness = { kind: string; key: string; at: number; typed: number }

/** Tells one prompt from another, and holds none of its words. FNV-1a, with the length. */
export function promptKey(prompt: string): string {
  const text = prompt.trim()
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return `${text.length}-${hash.toString(16)}`
}
