import { count, spread, table, two } from './group.mjs'
import { mark } from './marks.mjs'
import { timeRow } from './rows.mjs'
import { inTurn, ratioOf, timesOf } from './turns.mjs'

/** @typedef {import('./rows.mjs').Row} Row */

/**
 * Measures the same rows in homes of several sizes, all in turn, and compares each with its own twin in the smallest home. `limits`: how much slower the
 * row of that name may be in any of the others.
 * @param {{ title: string, of: string, homes: { size: number, rows: Row[] }[], limits: Record<string, number>, rounds: number, ready: () => void }} plan
 * @returns {Promise<import('./group.mjs').Part & { median: (size: number, name: string) => number, growth: (size: number, name: string, from?: number) => import('./stats.mjs').Summary }>} `growth`: a row beside its twin in another home, the smallest one where none is named
 */
export async function compareSizes({ title, of, homes, limits, rounds, ready }) {
  const [least = 0, ...larger] = homes.map(({ size }) => size)
  const names = homes[0]?.rows.map(({ name }) => name) ?? []
  const key = (/** @type {number} */ size, /** @type {string} */ name) => `${name}, ${size}`
  const cells = names.flatMap((name) =>
    homes.flatMap(({ size, rows }) =>
      rows
        .filter((row) => row.name === name)
        .map((row) => ({ name: key(size, name), run: () => timeRow(row) })),
    ),
  )
  const times = await inTurn(cells, rounds, { ready })
  const growth = (/** @type {number} */ size, /** @type {string} */ name, from = least) =>
    ratioOf(times, key(size, name), key(from, name))
  const lines = names.map((name) => [
    name,
    `${timesOf(times, key(least, name)).median.toFixed(1)} ms`,
    ...larger.map((size) => grown(growth(size, name), limits[name])),
    String(limits[name] ?? ''),
  ])
  const head = [
    'command',
    `${count(least)} ${of}`,
    ...larger.map((size) => `÷, ${count(size)}`),
    'limit',
  ]
  return {
    lines: [`### ${title}, ${rounds} rounds`, '', ...table(head, lines)],
    checks: Object.entries(limits).flatMap(([name, limit]) =>
      larger.map((size) => ({
        what: `${name}, ${count(size)} ${of}`,
        limit,
        summary: growth(size, name),
      })),
    ),
    growth,
    median: (size, name) => timesOf(times, key(size, name)).median,
  }
}

/**
 * @param {import('./stats.mjs').Summary} summary
 * @param {number | undefined} limit
 */
function grown(summary, limit) {
  return `${two(summary.median)} [${spread(summary)}]${mark(summary, limit)}`
}

/**
 * These rows out of all, in this order.
 * @param {Row[]} rows
 * @param {string[]} names
 */
export function pick(rows, names) {
  return names.map((name) => {
    const row = rows.find((one) => one.name === name)
    if (row === undefined) throw new Error(`there is no row "${name}"`)
    return row
  })
}
