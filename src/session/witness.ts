/**
 * A prompt as the room inside Claude Code saw it, before its turn. `kind`: where the client says it
 * came from, `composer` for what a person entered. `key` stands for its text, `at` is when, and
 * `typed` when a person last entered one (Unix time in milliseconds).
 */
export type Witness = { kind: string; key: string; at: number; typed: number }

/** Kinds of origin that no person's hand is in. Others are left to the host's own record. */
const FOREIGN = new Set([
  ...['plugin', 'peer', 'peer-send-message', 'projects-relay', 'channel', 'coordinator'],
  ...['observer', 'observer-activity', 'scheduled-trigger'],
])

/** The hook of a prompt comes about 30 ms after the room has noted it. In milliseconds. */
const FRESH_MS = 60_000

/**
 * Whether the room saw this very prompt come from something that is no person. Anything else, a note
 * of another prompt among it, says nothing: a witness never makes a prompt the human's.
 */
export function isForeign(witness: Witness | undefined, prompt: string, now: number): boolean {
  return (
    witness !== undefined &&
    FOREIGN.has(witness.kind) &&
    witness.key === promptKey(prompt) &&
    Math.abs(now - witness.at) < FRESH_MS
  )
}

/** Tells one prompt from another, and holds none of its words. FNV-1a, with the length. */
export function promptKey(prompt: string): string {
  const text = prompt.trim()
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return `${text.length}-${hash.toString(16)}`
}
