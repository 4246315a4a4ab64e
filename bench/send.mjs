import { fsyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { buildLibrary } from './bundle.mjs'
import { floorSend } from './floor.mjs'
import { ratio, table } from './group.mjs'
import { loadLibrary } from './library.mjs'
import { LIBRARY_LIMIT } from './limits.mjs'
import { inTurn, ratioOf, timesOf } from './turns.mjs'

/** As many of each, in one process: a send takes less than a millisecond. */
const SENDS = 1000

const BODY =
  'GET /tasks?page=2 answers {"items": [...], "next": 3}.\n\nThe field `next` is new; it is missing on the last page.'

/**
 * A send through the library beside its floor, in one process and in one home, in turn. Before each, the disk gets what the one before has left to
 * it: nobody waits for another's writes.
 * @param {import('./group.mjs').Plan} plan
 * @returns {Promise<import('./group.mjs').Part>}
 */
export async function sendGroup({ directory, ready, say }) {
  say('sending through the library')
  const root = join(directory, 'library-home')
  const send = loadLibrary(await buildLibrary(directory)).openSender(root, ['frontend'])
  const settle = settler(directory)
  const cells = [
    {
      name: 'floor',
      run: () => timed(() => floorSend(join(root, 'messages'), join(root, 'inbox', 'frontend'))),
    },
    { name: 'send', run: () => timed(() => send('backend', 'frontend', BODY)) },
  ]
  ready()
  const times = await inTurn(cells, SENDS, { ready: settle })
  const over = ratioOf(times, 'send', 'floor')
  const rows = [
    ['create, write, fsync, link, fsync of the directory', micros(timesOf(times, 'floor')), '', ''],
    [
      '`sendMessage()`',
      micros(timesOf(times, 'send')),
      ratio(over, LIBRARY_LIMIT),
      String(LIBRARY_LIMIT),
    ],
  ]
  return {
    lines: [
      `### A send through the library, ${SENDS} in turn with its floor`,
      '',
      ...table(HEAD, rows),
    ],
    checks: [{ what: 'library send ÷ floor', summary: over, limit: LIBRARY_LIMIT }],
  }
}

const HEAD = ['in one process', 'time', '÷ floor', 'limit']

/**
 * Waits until the disk has everything: an empty journal for the next one.
 * @param {string} directory
 */
function settler(directory) {
  const file = openSync(join(directory, 'settle'), 'w')
  return () => {
    writeSync(file, '.', 0)
    fsyncSync(file)
  }
}

/** @param {() => void} run */
function timed(run) {
  const start = process.hrtime.bigint()
  run()
  return Number(process.hrtime.bigint() - start) / 1e6
}

/** @param {import('./stats.mjs').Summary} summary */
function micros({ median, p25, p75 }) {
  const of = (/** @type {number} */ value) => (value * 1000).toFixed(0)
  return `${of(median)} µs (${of(p25)}–${of(p75)})`
}
