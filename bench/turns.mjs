import { summarize } from './stats.mjs'

/**
 * Something that is measured: a run of it gives its time, or its rate.
 * @typedef {{ name: string, run: () => number | Promise<number> }} Cell
 */

/**
 * Runs each of the cells once a round, in turn, each round beginning with another one: what comes after what evens out. A round before
 * the first one warms and does not count. Gives the times of each by its name, in the order of the rounds.
 * @param {Cell[]} cells
 * @param {number} rounds
 * @param {{ ready?: () => void, warm?: boolean }} [how] `ready` is waited for before each; `warm` is false for what is warm
 * @returns {Promise<Map<string, number[]>>}
 */
export async function inTurn(cells, rounds, { ready = () => {}, warm = true } = {}) {
  /** @type {Map<string, number[]>} */
  const times = new Map(cells.map(({ name }) => [name, []]))
  for (let round = warm ? 0 : 1; round <= rounds; round += 1) {
    const first = round % cells.length
    for (const { name, run } of [...cells.slice(first), ...cells.slice(0, first)]) {
      ready()
      const time = await run()
      if (round > 0) times.get(name)?.push(time)
    }
  }
  return times
}

/**
 * The times of one cell in short.
 * @param {Map<string, number[]>} times
 * @param {string} name
 */
export function timesOf(times, name) {
  return summarize(times.get(name) ?? [])
}

/**
 * One cell beside another of the same round, in short.
 * @param {Map<string, number[]>} times
 * @param {string} name
 * @param {string} beside
 */
export function ratioOf(times, name, beside) {
  const others = times.get(beside) ?? []
  return summarize(
    (times.get(name) ?? []).map((time, round) => time / (others[round] ?? Number.NaN)),
  )
}
