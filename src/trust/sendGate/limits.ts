/** Messages on one chain without a human, and from one session in ten minutes, that ring. */
export const MAX_HOPS = 4
export const MAX_RECENT = 20
export const RECENT_MS = 10 * 60_000
