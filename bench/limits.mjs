/** Hooks stand between a user and every prompt and tool: they may cost hardly more than a bare node. */
const HOOK = 1.15
const COMMAND = 1.9
/** An edit's hook where another session works in the same repository, too. */
const BESIDE = 1.35

/**
 * What commands may cost that are not as the others, as a multiple of `node -e 0` in the same round. Null: a row that is there to explain the
 * others, or whose work is another program's.
 * @type {Record<string, number | null>}
 */
const RATIO_LIMITS = {
  'node empty.js': null,
  send: 1.6,
  inbox: 1.8,
  history: 1.7,
  who: 1.7,
  'thread of 50': 2.2,
  // Asks git for the commit.
  'send --handover, in git': null,
}

/**
 * What a row may cost, as a multiple of `node -e 0` in the same round.
 * @param {string} name
 */
export function limitOf(name) {
  const own = RATIO_LIMITS[name]
  if (own === null) return undefined
  return own ?? (name.endsWith('beside a peer') ? BESIDE : name.startsWith('hook') ? HOOK : COMMAND)
}

/** How much slower a row may be with a full archive, or with many sessions, than with few, in the same round. */
export const GROWTH_LIMIT = 1.15

/** A send through the library, as a multiple of what a disk takes for it at the least. */
export const LIBRARY_LIMIT = 1.3

/** From the message standing in the inbox to the first byte in the agent's terminal: the median, in milliseconds. */
export const RING_LIMIT_MS = 30

/** A hook in a session that never joined, from the shell on: the median, in milliseconds. */
export const STRANGER_LIMIT_MS = 5
