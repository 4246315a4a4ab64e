import { timeRow } from './rows.mjs'
import { summarize } from './stats.mjs'

/**
 * @typedef {import('./stats.mjs').Summary} Summary
 * @typedef {{ name: string, ratio: Summary, ms: Summary, large?: Summary, growth?: Summary }} Measured
 */

/**
 * Times every row `rounds` times, in turn, each right after `node -e 0`: a machine that slows down slows both. `large` holds the same
 * rows in a home with a full archive; each runs beside its small twin, and the growth is the ratio of the two. `ready` is waited for before each.
 * @param {{ base: import('./rows.mjs').Row, small: import('./rows.mjs').Row[], large: import('./rows.mjs').Row[], rounds: number, ready: () => void, progress: (done: number) => void }} plan
 * @returns {{ base: Summary, rows: Measured[] }}
 */
export function measureStartup({ base, small, large, rounds, ready, progress }) {
  const twins = small.map((row) => ({ row, big: large.find(({ name }) => name === row.name) }))
  const samples = twins.map(() => ({ ratio: num(), ms: num(), large: num(), growth: num() }))
  const baseMs = num()
  for (const { row, big } of twins) warm(base, row, big)
  for (let round = 0; round < rounds; round += 1) {
    twins.forEach(({ row, big }, index) => {
      const taken = samples[index]
      if (!taken) return
      ready()
      const floor = timeRow(base)
      // The one that runs second finds warmer caches, so the twins take turns.
      const bigFirst = big && round % 2 === 1 ? timeRow(big) : undefined
      const ms = timeRow(row)
      const bigMs = big && (bigFirst ?? timeRow(big))
      baseMs.push(floor)
      taken.ratio.push(ms / floor)
      taken.ms.push(ms)
      if (bigMs === undefined) return
      taken.large.push(bigMs / floor)
      taken.growth.push(bigMs / ms)
    })
    progress(round + 1)
  }
  const rows = twins.map(({ row, big }, index) => {
    const taken = samples[index] ?? { ratio: [], ms: [], large: [], growth: [] }
    const grown = big ? { large: summarize(taken.large), growth: summarize(taken.growth) } : {}
    return { name: row.name, ratio: summarize(taken.ratio), ms: summarize(taken.ms), ...grown }
  })
  return { base: summarize(baseMs), rows }
}

/** @param {(import('./rows.mjs').Row | undefined)[]} rows */
function warm(...rows) {
  for (const row of rows) if (row) timeRow(row)
}

/** @returns {number[]} */
function num() {
  return []
}
