/**
 * What each row may cost, as a multiple of `node -e 0` in the same round. Rows that are not named here are there to explain the others.
 * @type {Record<string, number>}
 */
export const RATIO_LIMITS = {
  send: 1.8,
  inbox: 2.0,
  history: 1.7,
  who: 1.7,
  reply: 1.9,
  'reply, rung for a question': 1.9,
  ask: 1.9,
  task: 1.9,
  'tasks --open': 1.9,
  accept: 1.9,
  decline: 1.9,
  done: 1.9,
  fail: 1.9,
  escalate: 1.9,
  'escalate, the human in tmux': 1.9,
  'reply to a decision': 1.9,
  status: 1.9,
  'thread of 50': 2.2,
  'hook session-start': 1.25,
}

/** How much slower a row may be with a full archive than with a small one, in the same round. */
export const GROWTH_LIMIT = 1.15

/** From the message standing in the inbox to the first byte in the agent's terminal: the median, in milliseconds. */
export const RING_LIMIT_MS = 30
