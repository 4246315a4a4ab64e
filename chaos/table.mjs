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

/** Stands before the name of a row whose promise is broken. */
const BROKEN = '**BROKEN:** '

/** @param {Row} row */
export function isBroken({ again, counts, notRun }) {
  if (notRun !== undefined) return false
  const { lost, torn, duplicated, stuck, second, remedies, wrong } = counts
  const counted = lost + torn + duplicated + stuck + second + (again ? 0 : counts.shownAgain)
  return counted > 0 || wrong.length > 0 || remedies[0] < remedies[1]
}

/**
 * The table, its totals in the last row. `before` is a table in which these rows take the place of those with their names.
 * @param {Row[]} rows
 * @param {string} before
 */
export function renderTable(rows, before = '') {
  const fresh = rows.map((row) => [`${isBroken(row) ? BROKEN : ''}${row.name}`, ...cells(row)])
  const known = before
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2, -1)
  const kept = known.map((line) => line.slice(2, -2).split(' | '))
  const lines =
    kept.length === 0
      ? fresh
      : kept.map((old) => fresh.find(([name]) => plain(name) === plain(old[0])) ?? old)
  return [HEAD, HEAD.map(() => '---'), ...lines, totals(lines)]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n')
}

/** @param {string[][]} lines */
function totals(lines) {
  const run = lines.filter((line) => !line[2]?.startsWith('not run'))
  const broken = lines.filter(([name]) => name?.startsWith(BROKEN)).length
  return [
    '**all**',
    `${run.length} of ${lines.length} cases run, ${broken} broken`,
    ...numbers(run.map(countsIn).reduce((sum, counts) => add(sum, counts), noCounts())),
  ]
}

/** The numbers of a row as they stand in a table. @param {string[]} line @returns {import('./count.mjs').Counts} */
function countsIn(line) {
  const at = (/** @type {number} */ column, part = 0) =>
    Number(line[column]?.match(/\d+/g)?.[part] ?? 0)
  return {
    ...noCounts(),
    runs: at(2),
    messages: at(3),
    lost: at(4),
    torn: at(5),
    duplicated: at(6),
    shownAgain: at(7),
    stuck: at(8),
    remedies: [at(9), at(9, 1)],
    doctor: at(10),
    second: at(10, 1),
  }
}

/** A row's name without what says that it is broken. */
function plain(name = '') {
  return name.replace(BROKEN, '')
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
function cells({ promise, counts, notRun }) {
  return notRun === undefined
    ? [promise, ...numbers(counts)]
    : [promise, `not run: ${notRun}`, ...HEAD.slice(3).map(() => '–')]
}

/** @param {import('./count.mjs').Counts} counts */
function numbers({
  runs,
  traced,
  messages,
  lost,
  torn,
  duplicated,
  shownAgain,
  stuck,
  remedies,
  doctor,
  second,
}) {
  const named = remedies[1] === 0 ? '–' : `${remedies[0]} of ${remedies[1]}`
  const ran = traced === 0 ? runs : `${runs}, ${traced} at work`
  return [
    ran,
    messages,
    lost,
    torn,
    duplicated,
    shownAgain,
    stuck,
    named,
    `${doctor}, ${second}`,
  ].map(String)
}
