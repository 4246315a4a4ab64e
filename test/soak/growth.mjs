/** In a shorter run programs only warm up, and nothing is said of growth. */
const LEAST_MINUTES = 10

/**
 * What a watcher and a sender that were left alone hold, third by third of the run.
 * @param {{ files: number, mb: number, senderFiles: number, senderMb: number }[]} samples
 * @param {number} minutes
 */
export function judgeGrowth(samples, minutes) {
  const values = (/** @type {'files' | 'mb' | 'senderFiles' | 'senderMb'} */ key) => samples.map((one) => one[key])
  const rows = [
    growthOf('open files of a watcher', values('files'), { factor: 1, more: 1 }),
    growthOf('memory of a watcher, MB', values('mb'), { factor: 1.1, more: 2 }),
    growthOf('open files of a sender', values('senderFiles'), { factor: 1, more: 1 }),
    growthOf('memory of a sender, MB', values('senderMb'), { factor: 1.1, more: 5 }),
  ]
  return minutes < LEAST_MINUTES ? rows.map((row) => ({ ...row, grows: false })) : rows
}

/**
 * Whether something grows without end: in the last third of the run it is beyond the second third by more than noise. The first third is left out: there
 * programs warm up.
 * @param {string} what @param {number[]} values @param {{ factor: number, more: number }} noise
 */
function growthOf(what, values, { factor, more }) {
  const third = Math.floor(values.length / 3)
  const second = mean(values.slice(third, 2 * third))
  const last = mean(values.slice(2 * third))
  const limit = second * factor + more
  return { what, first: mean(values.slice(0, third)), second, last, limit, grows: third > 0 && last > limit }
}

/** @param {number[]} values */
export function mean(values) {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
