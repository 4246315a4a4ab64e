/**
 * A set of numbers in short. `low` and `high` bound the median with 95 % confidence, by order statistics: no shape of the
 * distribution is taken for granted.
 * @typedef {{ count: number, median: number, p25: number, p75: number, low: number, high: number }} Summary
 */

/** With fewer values, not even the smallest and the largest bound the median with 95 % confidence: six do with 97 %, five with 94 %. */
const FEWEST = 6

/**
 * @param {number[]} values at least one
 * @returns {Summary}
 */
export function summarize(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (/** @type {number} */ rank) =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(rank)))] ?? 0
  const last = sorted.length - 1
  const reach = 0.98 * Math.sqrt(sorted.length)
  return {
    count: sorted.length,
    median: (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2,
    p25: at(last / 4),
    p75: at((last * 3) / 4),
    low: at(Math.floor(last / 2 - reach)),
    high: at(Math.ceil(last / 2 + reach)),
  }
}

/**
 * Whether a limit is missed by more than the noise: even the low end of where the true median may be lies above it.
 * A few values alone say nothing of that.
 * @param {Summary} summary
 * @param {number} limit
 */
export function misses(summary, limit) {
  return summary.count >= FEWEST && summary.low > limit
}
