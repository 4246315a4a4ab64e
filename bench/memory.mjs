import { ratio, table, two } from './group.mjs'
import { IDLE_SECONDS, idleWaiters } from './idle.mjs'
import { peakOf } from './peak.mjs'
import { floorRows } from './rows.mjs'
import { pick } from './sizes.mjs'
import { summarize } from './stats.mjs'

/** What agents and their hosts run all day. */
const ROWS = ['send', 'inbox', 'status', 'hook session-start', 'hook bell']

const ROUNDS = 10

/**
 * The most memory that a command or hook has at any time, beside a bare node; and the memory of who waits and the processor time that it takes while nothing
 * happens. Linux alone tells of both.
 * @param {import('./group.mjs').Plan} plan
 * @returns {Promise<import('./group.mjs').Part>}
 */
export async function memoryGroup({ directory, program, archive, world, ready, say }) {
  const title = ['### Memory, and processor time of who waits', '']
  if (process.platform !== 'linux')
    return { lines: [...title, 'Left out: only Linux tells.'], checks: [] }
  const { home, rows } = await world(archive)
  const measured = [floorRows(directory, program.env).base, ...pick(rows, ROWS)]
  /** @type {Map<string, number[]>} */
  const peaks = new Map(measured.map(({ name }) => [name, []]))
  say('memory')
  for (let round = 0; round < ROUNDS; round += 1)
    for (const row of measured) {
      ready()
      peaks.get(row.name)?.push(await peakOf(row, directory))
    }
  const base = summarize(peaks.get('node -e 0') ?? []).median
  const lines = [...peaks].map(([name, kilobytes]) => {
    const { median } = summarize(kilobytes)
    return [name, megabytes(median), two(median / base), '']
  })
  say('watchers and a console that wait')
  const idle = await idleWaiters({ directory, program, root: home.root })
  const waiting = idle.map(({ name, kilobytes, load }) => [
    name,
    megabytes(kilobytes),
    two(kilobytes / base),
    `${ratio(load)} ms a second, ${two(load.median / 10)} % of a processor`,
  ])
  return { lines: [...title, ...table(HEAD, [...lines, ...waiting])], checks: [] }
}

const HEAD = [
  'process',
  'most memory',
  '÷ `node -e 0`',
  `processor time while nothing happens for ${IDLE_SECONDS.toFixed(0)} s`,
]

/** @param {number} kilobytes */
function megabytes(kilobytes) {
  return `${(kilobytes / 1024).toFixed(1)} MB`
}
