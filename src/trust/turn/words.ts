import type { Cause } from '../../session/turn.ts'

/** What a doorbell says, to the byte. */
const RING =
  '(?:New message|\\d+ new messages)(?: from @[a-z][a-z0-9-]{0,31}(?:, @[a-z][a-z0-9-]{0,31})*)?\\. Check inbox\\.'
const TYPED_RING = new RegExp(`^${RING}$`)

/**
 * How Claude Code 2.1.329 wraps what a hook of ours said under `asyncRewake`, to its end: the event
 * is `FileChanged`, after a start `SessionStart:startup`, `:clear` and the like, after a `cd`
 * `CwdChanged`, after a turn `Stop`, or `StopFailure:unknown` and the like.
 */
const NATIVE_RING = new RegExp(
  `^<task-notification>\\n<summary>[^<\\n]*</summary>\\n</task-notification>\\n<system-reminder>\\n[^"\\n]* from command "(?:FileChanged|SessionStart|CwdChanged|Stop|StopFailure)(?::\\w+)?": ${RING}\\s*</system-reminder>$`,
)

export function isNativeRing(text: string): boolean {
  return NATIVE_RING.test(text.trim())
}

export function isTypedRing(text: string): boolean {
  return TYPED_RING.test(text.trim())
}

/** Whether words look like those of a task that has ended, or of a hook. */
export function looksLikeTask(text: string): boolean {
  return text.trimStart().startsWith('<task-notification>')
}

export type PromptClues = {
  prompt: string
  /** `source`, where the host gives it: `user`, `sdk`, `system`, `loop_wakeup`, … */
  source: string | undefined
  /** Prompts that the agent scheduled for itself: they come back word for word, without a mark. */
  scheduled: readonly string[]
  /**
   * Whether the host queued these words itself, in the middle of a turn: what a human types reaches
   * its hook first.
   */
  queued: boolean
}

/**
 * Whose word a prompt seems to be, by its text. It is believed where an agent keeps no record; else
 * only until the first call of a tool.
 */
export function promptCause({ prompt, source, scheduled, queued }: PromptClues): Cause {
  const text = prompt.trim()
  if (isNativeRing(text) || isTypedRing(text)) return 'doorbell'
  if (looksLikeTask(text)) return 'other'
  if (source !== undefined && source !== 'user' && source !== 'sdk') return 'other'
  return queued || scheduled.includes(text) ? 'other' : 'human'
}

/** The senders that a ring names, as `@a, @b`; empty for one that names nobody. */
export function ringSenders(prompt: string): string {
  const ring = new RegExp(RING).exec(prompt)?.[0] ?? ''
  return (ring.match(/@[a-z][a-z0-9-]*/g) ?? []).join(', ')
}
