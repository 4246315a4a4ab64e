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
