/** What a watcher knows when it asks whether to ring. Ids in the order of the inbox. */
export type RingQuestion = {
  unread: string[]
  /** What this watcher has rung for already. */
  rung: ReadonlySet<string>
  /** Tries in a row that typed something but did not ring. */
  failedTries: number
}

export type RingDecision = { kind: 'ring'; ids: string[] } | { kind: 'rest' } | { kind: 'give up'; why: string }

/** After so many lines that an agent swallowed, typing more of them would only do harm. */
export const MAX_FAILED_TRIES = 3

/** One ring per batch: what is unread and has not been rung for, all of it at once. */
export function decideRing({ unread, rung, failedTries }: RingQuestion): RingDecision {
  const ids = unread.filter((id) => !rung.has(id))
  if (ids.length === 0) return { kind: 'rest' }
  if (failedTries >= MAX_FAILED_TRIES) return { kind: 'give up', why: `typed ${failedTries} times without being heard` }
  return { kind: 'ring', ids }
}

/** How long to wait before looking again at a pane that could not be rung: soon at first, then every 2 s. In milliseconds. */
export function retryDelay(waitedMs: number): number {
  return waitedMs < 10_000 ? 250 : 2000
}
