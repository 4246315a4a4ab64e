import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, release, totalmem, type } from 'node:os'
import { GROWTH_LIMIT, RATIO_LIMITS, RING_LIMIT_MS } from './limits.mjs'
import { misses } from './stats.mjs'

/**
 * @typedef {import('./stats.mjs').Summary} Summary
 * @typedef {{ base: Summary, rows: import('./startup.mjs').Measured[], disk: Summary, ring: Summary | undefined, archive: number }} Results
 */

/**
 * The results as Markdown tables, with the machine they are from.
 * @param {Results} results
 */
export function renderReport({ base, rows, disk, ring, archive }) {
  const lines = [
    machine(),
    '',
    `\`node -e 0\`: median ${ms(base)}. The disk's share of a send (a synced file, two links, a synced directory): median ${ms(disk)}, ${two(disk.median / base.median)} of \`node -e 0\`.`,
    '',
    `| command | ÷ \`node -e 0\` | quartiles | limit | with ${archive.toLocaleString('en')} messages | growth (limit ${GROWTH_LIMIT}) | time |`,
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => {
      const limit = RATIO_LIMITS[row.name]
      const growth = row.growth ? `${two(row.growth.median)} [${two(row.growth.p25)}–${two(row.growth.p75)}]` : ''
      const large = row.large ? two(row.large.median) : ''
      const spread = `${two(row.ratio.p25)}–${two(row.ratio.p75)}`
      return `| ${row.name} | **${two(row.ratio.median)}** | ${spread} | ${limit ?? ''} | ${large} | ${growth} | ${ms(row.ms)} |`
    }),
  ]
  if (ring === undefined) return lines.join('\n')
  const spread = `quartiles ${two(ring.p25)}–${two(ring.p75)}, ${ring.count} rings`
  return [
    ...lines,
    '',
    `Doorbell: message in the inbox to first byte in the pane, median **${ms(ring)}** (${spread}; limit ${RING_LIMIT_MS} ms).`,
  ].join('\n')
}

/**
 * The limits that were missed by more than the noise, one line each.
 * @param {Results} results
 */
export function missedLimits({ rows, ring }) {
  /** @type {{ what: string, summary: Summary | undefined, limit: number | undefined }[]} */
  const checks = rows.flatMap((row) => [
    { what: row.name, summary: row.ratio, limit: RATIO_LIMITS[row.name] },
    { what: `${row.name}, growth`, summary: row.growth, limit: RATIO_LIMITS[row.name] && GROWTH_LIMIT },
  ])
  checks.push({ what: 'doorbell, ms', summary: ring, limit: RING_LIMIT_MS })
  return checks.flatMap(({ what, summary, limit }) =>
    summary && limit && misses(summary, limit)
      ? [`${what}: ${two(summary.median)} is over ${limit} (at least ${two(summary.low)} with 95 % confidence)`]
      : [],
  )
}

/**
 * Puts the report between its two markers in a page, and leaves the rest of the page as it is.
 * @param {string} path
 * @param {string} report
 * @param {string} word the markers' first word
 */
export function writeReport(path, report, word = 'bench') {
  const [begin, end] = [`<!-- ${word}: begin -->`, `<!-- ${word}: end -->`]
  const page = readFileSync(path, 'utf8')
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`${path} has no ${begin} … ${end}`)
  writeFileSync(path, `${before}${begin}\n${report}\n${end}${after}`)
}

function machine() {
  const day = new Date().toISOString().slice(0, 10)
  const processors = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${day}, ${type()} ${release()} ${arch()}, ${processors}, ${memory}; Node ${process.version}, ${tmuxVersion()}.`
}

function tmuxVersion() {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).trim()
  } catch {
    return 'no tmux'
  }
}

/** @param {Summary} summary */
function ms(summary) {
  return `${summary.median.toFixed(1)} ms`
}

/** @param {number} value */
function two(value) {
  return value.toFixed(2)
}
