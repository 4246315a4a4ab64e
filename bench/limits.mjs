/**
 * What each row may cost, as a multiple of `node -e 0` in the same round. Rows that are not named here are there to explain the others.
 * @type {Record<string, number>}
 */
export const RATIO_LIMITS = {
  send: 1.8,
  inbox: 2.0,
  history: 1.7,
  who: 1.7,
  'hook session-start': 1.25,
}

/** How much slower a row may be with a full archive than with a small one, in the same round. */
export const GROWTH_LIMIT = 1.15

/** From the message standing in the inbox to the first byte in the agent's terminal: the median, in milliseconds. */
export const RING_LIMIT_MS = 30
