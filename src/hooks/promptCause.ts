import type { Cause } from '../session/turn.ts'

/** What a doorbell says, to the byte. */
const RING =
  '(?:New message|\\d+ new messages)(?: from @[a-z][a-z0-9-]{0,31}(?:, @[a-z][a-z0-9-]{0,31})*)?\\. Check inbox\\.'
const TYPED_RING = new RegExp(`^${RING}$`)

/**
 * How Claude Code 2.1.329 wraps what a hook of ours said under `asyncRewake`: the event is
 * `FileChanged`, after a start `SessionStart:startup`, `:clear` and the like, after a `cd`
 * `CwdChanged`, after a turn `Stop`, or `StopFailure:unknown` and the like.
 */
const NATIVE_RING = new RegExp(
  `from command "(?:FileChanged|SessionStart|CwdChanged|Stop|StopFailure)(?::\\w+)?": ${RING}`,
)

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
 * Whose word a prompt is. A ring's line is a doorbell's, whoever entered it: the marks of a ring
 * can be gone before its prompt comes.
 */
export function promptCause({ prompt, source, scheduled, queued }: PromptClues): Cause {
  const text = prompt.trim()
  if (text.startsWith('<task-notification>')) return NATIVE_RING.test(text) ? 'doorbell' : 'other'
  if (TYPED_RING.test(text)) return 'doorbell'
  if (source !== undefined && source !== 'user' && source !== 'sdk') return 'other'
  return queued || scheduled.includes(text) ? 'other' : 'human'
}

/** The senders that a ring names, as `@a, @b`; empty for one that names nobody. */
export function ringSenders(prompt: string): string {
  const ring = new RegExp(RING).exec(prompt)?.[0] ?? ''
  return (ring.match(/@[a-z][a-z0-9-]*/g) ?? []).join(', ')
}
