import { misses } from './stats.mjs'

/** @typedef {import('./group.mjs').Check} Check */

/** Behind a median that is over its limit: its 95 % interval reaches below the limit, or lies above it as a whole. */
const OVER = '!'
const MISSED = '!!'

/**
 * What stands behind a median in a table: nothing where it is within its limit, or has none. The median counts as it was measured, before it is rounded.
 * @param {import('./stats.mjs').Summary} summary
 * @param {number} [limit]
 */
export function mark(summary, limit) {
  if (limit === undefined || summary.median <= limit) return ''
  return ` ${misses(summary, limit) ? MISSED : OVER}`
}

/**
 * What the marks mean, and how many there are of each.
 * @param {Check[]} checks
 */
export function legend(checks) {
  const missed = checks.filter(isMissed).length
  const over = checks.filter(isOver).length
  return `\`${OVER}\` is over its limit in the median, and the 95 % interval reaches below it: ${over} of ${checks.length}. \`${MISSED}\` is over it with the whole interval, which \`--check\` counts as missed: ${missed}.`
}

/** Even the low end of the interval is over the limit. @param {Check} check */
export function isMissed({ summary, limit }) {
  return misses(summary, limit)
}

/** The median is over the limit, and the interval reaches below. @param {Check} check */
export function isOver({ summary, limit }) {
  return summary.median > limit && !misses(summary, limit)
}
