import { CodedError } from '../../errors.ts'

/**
 * By what the human is told of a message: a line in the tmux clients, a bell in terminals, a
 * notification of the desktop.
 */
export const MEANS = ['tmux', 'bell', 'desktop'] as const
export type Means = (typeof MEANS)[number]

/**
 * `AGENT_CHAT_NOTIFY`: `all`, which is the default, `off`, or some of the means with commas
 * between. `off` wins over what stands beside it. Words that mean nothing are passed over; where no
 * other is left, it is `all`, so that a slip of the pen silences nobody.
 */
export function parseMeans(input: string | undefined): Means[] {
  const words = (input ?? '').split(',').map((word) => word.trim())
  if (words.includes('off')) return []
  const named = MEANS.filter((means) => words.includes(means))
  return named.length === 0 || words.includes('all') ? [...MEANS] : named
}

/** Throws `USAGE` for a word that `parseMeans()` passes over: commands refuse it. */
export function requireMeans(input: string | undefined): void {
  const known: string[] = ['', 'all', 'off', ...MEANS]
  const wrong = (input ?? '').split(',').find((word) => !known.includes(word.trim()))
  if (wrong === undefined) return
  throw new CodedError('USAGE', `AGENT_CHAT_NOTIFY: there is no ${JSON.stringify(wrong.trim())}`, {
    hint: `AGENT_CHAT_NOTIFY is one of: all, off; or some of: ${MEANS.join(',')}`,
  })
}
