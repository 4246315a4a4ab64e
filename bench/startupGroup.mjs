import { join } from 'node:path'
import { measureDisk } from './disk.mjs'
import { count, ms, spread, table, two } from './group.mjs'
import { GROWTH_LIMIT, limitOf } from './limits.mjs'
import { mark } from './marks.mjs'
import { floorRows } from './rows.mjs'
import { measureStartup } from './startup.mjs'

/** @typedef {import('./startup.mjs').Measured} Measured */

/** What a small home has had: as many messages as a first day. */
const SMALL = 100

/**
 * Each command and each hook as a whole process beside `node -e 0`, in a home with few old messages and in one with many.
 * @param {import('./group.mjs').Plan} plan
 * @returns {Promise<import('./group.mjs').Part>}
 */
export async function startupGroup({
  directory,
  program,
  rounds,
  archive,
  only,
  world,
  ready,
  say,
}) {
  const disk = measureDisk(join(directory, 'disk'), 200)
  const { base, empty } = floorRows(directory, program.env)
  say('making a small home')
  const { rows } = await world(SMALL)
  const small = chosen([empty, ...rows], only)
  say(`making a home with ${archive} messages`)
  const large = (await world(archive)).rows.filter(({ scans }) => !scans)
  const measured = measureStartup({
    base,
    small,
    large,
    rounds,
    ready,
    progress: (done) => say(`commands and hooks: round ${done} of ${rounds}`),
  })
  return {
    lines: [
      `### Commands and hooks, ${rounds} rounds`,
      '',
      `\`node -e 0\`: median ${ms(measured.base)}. The disk's share of a send (a synced file, two links, a synced directory): median ${ms(disk)}, ${two(disk.median / measured.base.median)} of \`node -e 0\`.`,
      '',
      ...table(headOf(archive), measured.rows.map(lineOf)),
    ],
    checks: measured.rows.flatMap(checksOf),
  }
}

/**
 * The rows that `--only` names, or all of them.
 * @param {import('./rows.mjs').Row[]} rows
 * @param {string[]} only
 */
function chosen(rows, only) {
  const names = rows.map(({ name }) => name)
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new Error(`there is no row "${unknown}", only: ${names.join(', ')}`)
  return only.length === 0 ? rows : rows.filter(({ name }) => only.includes(name))
}

/** @param {number} archive */
function headOf(archive) {
  const growth = `growth (limit ${GROWTH_LIMIT})`
  return [
    'command',
    '÷ `node -e 0`',
    'quartiles',
    'limit',
    `with ${count(archive)} messages`,
    growth,
    'time',
  ]
}

/** @param {Measured} row */
function lineOf({ name, ratio, ms: time, large, growth }) {
  const limit = limitOf(name)
  const growthLimit = limit === undefined ? undefined : GROWTH_LIMIT
  return [
    name,
    `**${two(ratio.median)}**${mark(ratio, limit)}`,
    spread(ratio),
    String(limit ?? ''),
    large ? two(large.median) : '',
    growth ? `${two(growth.median)} [${spread(growth)}]${mark(growth, growthLimit)}` : '',
    ms(time),
  ]
}

/**
 * @param {Measured} row
 * @returns {import('./group.mjs').Check[]}
 */
function checksOf({ name, ratio, growth }) {
  const limit = limitOf(name)
  if (limit === undefined) return []
  const own = { what: name, summary: ratio, limit }
  return growth ? [own, { what: `${name}, growth`, summary: growth, limit: GROWTH_LIMIT }] : [own]
}
