/** A notice that a session came or went, as expected: worth no row of its own. */
export type Passing = { passing?: 'came' | 'went'; about?: string; restarts?: number; text: string }

/**
 * Two such notices of one session in a row, as one: `@backend restarted ×3`. Undefined where they
 * are not two of these.
 */
export function folded<T extends Passing>(before: T | undefined, next: T): T | undefined {
  if (!before?.passing || !next.passing || before.about !== next.about) return undefined
  const { restarts = 0 } = before
  // How it ended says more than that it has left.
  if (before.passing === 'went' && next.passing === 'went') return before
  if (before.passing === next.passing || next.passing === 'went') return { ...next, restarts }
  const times = restarts === 0 ? '' : ` ×${restarts + 1}`
  return { ...next, restarts: restarts + 1, text: `@${next.about} restarted${times}` }
}
