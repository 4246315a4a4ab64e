/** In a shorter run programs only warm up, and nothing is said of growth. */
const LEAST_MINUTES = 10

/**
 * What a program that nothing was done to can come to hold, in MB, at its looks. A process takes memory long before it needs to collect any: a watcher that is rung
 * ten times a second goes up to 98 MB and back, with 6 to 8 MB in use. So a leak does not show there, and this only bounds what is no JavaScript. What shows a leak is
 * what is still in use after a collection.
 */
const MOST_MB = 120

/** @typedef {{ files: number, mb: number, heap: number, senderFiles: number, senderMb: number, senderHeap: number }} Sample */

/**
 * What a watcher and a sender that were left alone hold, third by third of the run.
 * @param {Sample[]} samples
 * @param {number} minutes
 */
export function judgeGrowth(samples, minutes) {
  const row = (
    /** @type {string} */ what,
    /** @type {keyof Sample} */ key,
    /** @type {Bound} */ bound,
  ) =>
    growthOf(
      what,
      samples.map((one) => one[key]),
      bound,
    )
  const rows = [
    row('open files of a watcher', 'files', { more: 1 }),
    row('memory in use by a watcher, MB', 'heap', { more: 0.4 }),
    row('memory of a watcher, MB', 'mb', { most: MOST_MB }),
    row('open files of a sender', 'senderFiles', { more: 1 }),
    row('memory in use by a sender, MB', 'senderHeap', { more: 0.4 }),
    row('memory of a sender, MB', 'senderMb', { most: MOST_MB }),
  ]
  return minutes < LEAST_MINUTES ? rows.map((one) => ({ ...one, grows: false })) : rows
}

/**
 * How much more than in the second third the last may have, or how much it may have at the most. `counts`: how much more than in either third before. A count needs no
 * warming up, and workers that come and go make it go down as well.
 * @typedef {{ more: number, counts?: true } | { most: number }} Bound
 */

/**
 * Whether something grows without end: in the last third of the run it is beyond the second third by more than noise. The first third is left out: there
 * programs warm up.
 * @param {string} what @param {number[]} values @param {Bound} bound
 */
export function growthOf(what, values, bound) {
  const third = Math.floor(values.length / 3)
  const first = mean(values.slice(0, third))
  const second = mean(values.slice(third, 2 * third))
  const last = mean(values.slice(2 * third))
  const before = 'counts' in bound ? Math.max(first, second) : second
  const limit = 'most' in bound ? bound.most : before + bound.more
  return {
    what,
    first,
    second,
    last,
    limit,
    grows: third > 0 && last > limit,
  }
}

/** @param {number[]} values */
export function mean(values) {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
