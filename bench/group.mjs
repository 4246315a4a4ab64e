import { mark } from './marks.mjs'

/**
 * What the groups of the benchmark have in common: each measures something by itself and gives lines of Markdown and what has a limit.
 *
 * @typedef {import('./stats.mjs').Summary} Summary
 * @typedef {{ what: string, summary: Summary, limit: number }} Check
 * @typedef {{ lines: string[], checks: Check[] }} Part
 * @typedef {{ script: string, hook: string, env: NodeJS.ProcessEnv }} Program what is measured, and what its processes see
 * @typedef {{ directory: string, program: Program, rounds: number, archive: number, archiveMax: number, only: string[], world: (count: number) => Promise<World>, ready: () => void, say: (text: string) => void }} Plan
 * @typedef {{ home: import('./home.mjs').Home, rows: import('./rows.mjs').Row[] }} World a home with so many old messages, and its rows
 */

/**
 * A Markdown table.
 * @param {string[]} head
 * @param {string[][]} rows
 */
export function table(head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)]
}

/** @param {number} value */
export function two(value) {
  return value.toFixed(2)
}

/** @param {Summary} summary */
export function ms(summary) {
  return `${summary.median.toFixed(1)} ms`
}

/** The quartiles. @param {Summary} summary */
export function spread(summary) {
  return `${two(summary.p25)}–${two(summary.p75)}`
}

/**
 * A median in bold, with its quartiles, and a mark where it is over its limit: for ratios and rates.
 * @param {Summary} summary
 * @param {number} [limit]
 */
export function ratio(summary, limit) {
  return `**${two(summary.median)}** [${spread(summary)}]${mark(summary, limit)}`
}

/** A number as people write it. @param {number} value */
export function count(value) {
  return Math.round(value).toLocaleString('en')
}
