import { add, noCounts } from './count.mjs'

/**
 * A case that was run, or why it was not.
 * @typedef {{ name: string, promise: string, again: boolean, counts: import('./count.mjs').Counts, notRun?: string | undefined }} Row
 */

const HEAD = [
  'case',
  'promised',
  'runs',
  'messages',
  'lost',
  'torn',
  'duplicated',
  'shown again',
  'stuck',
  'remedy named',
  'doctor, second',
]

/** @param {Row} row */
export function isBroken({ again, counts, notRun }) {
  if (notRun !== undefined) return false
  const { lost, torn, duplicated, stuck, second, remedies, wrong } = counts
  const counted = lost + torn + duplicated + stuck + second + (again ? 0 : counts.shownAgain)
  return counted > 0 || wrong.length > 0 || remedies[0] < remedies[1]
}

/**
 * The table, its totals in the last row, and under it what was broken.
 * @param {Row[]} rows
 */
export function renderTable(rows) {
  const sum = rows.reduce((total, { counts }) => add(total, counts), noCounts())
  const broken = rows.filter(isBroken)
  const missing = rows.filter(({ notRun }) => notRun !== undefined)
  const lines = [
    HEAD,
    HEAD.map(() => '---'),
    ...rows.map((row) => [row.name, ...cells(row)]),
    [
      '**all**',
      `${rows.length - missing.length} of ${rows.length} cases run, ${broken.length} broken`,
      ...numbers(sum),
    ],
  ]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/**
 * What broke a promise, a line each.
 * @param {Row[]} rows
 */
export function renderBroken(rows) {
  return rows
    .filter(isBroken)
    .flatMap(({ name, counts }) => [
      `BROKEN: ${name}`,
      ...[...new Set(counts.wrong)].slice(0, 12).map((line) => `  ${line}`),
    ])
}

/** @param {Row} row */
export function cells({ promise, counts, notRun }) {
  return notRun === undefined
    ? [promise, ...numbers(counts)]
    : [promise, `not run: ${notRun}`, ...HEAD.slice(3).map(() => '–')]
}

/** @param {import('./count.mjs').Counts} counts */
function numbers({ runs, messages, lost, torn, duplicated, shownAgain, stuck, remedies, doctor, second }) {
  const named = remedies[1] === 0 ? '–' : `${remedies[0]} of ${remedies[1]}`
  return [runs, messages, lost, torn, duplicated, shownAgain, stuck, named, `${doctor}, ${second}`].map(String)
}
