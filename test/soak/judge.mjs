import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgePlaces } from './places.mjs'
import { judgeUnshown } from './unshown.mjs'

/**
 * What is wrong in the home after all was said and read, one line each; and what can be counted there.
 * @param {import('./home.mjs').SoakHome} home @param {import('./load.mjs').Done} done
 */
export function judgeHome(home, done) {
  const history = readFileSync(join(home.root, 'history.log'), 'utf8')
  const events = history
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const of = (/** @type {string} */ event) => events.filter((one) => one.event === event)
  const [sent, read, rung] = [of('sent'), of('read'), of('rung')]
  const unshown = judgeUnshown(read, done.shown, done.killed)
  // What `doctor` added to the history tells when it was mended, not when it was read.
  const asTheyCame = read.filter(({ mended }) => mended !== true)
  const wrong = [
    ...done.failed.map((what) => `failed: ${what}`),
    ...done.torn.map((what) => `torn: ${what}`),
    ...judgePlaces(home, done),
    ...unshown.wrong,
    ...shownTwice(done),
    ...toldTwice(sent),
    ...toldTwice(read),
    ...outOfOrder(asTheyCame, done),
  ]
  if (sent.length !== done.sent.size)
    wrong.push(`the history tells of ${sent.length} messages, ${done.sent.size} were sent`)
  return {
    wrong,
    unshown: unshown.unshown,
    rung: rung.flatMap(({ ids }) => ids).length,
    historyMb: Buffer.byteLength(history) / 2 ** 20,
  }
}

/** @param {import('./load.mjs').Done} done */
function shownTwice({ shown }) {
  const again = [...shown].filter(([, times]) => times > 1)
  return again.map(([id, times]) => `twice: ${id} was shown to its end ${times} times`)
}

/** @param {{ id: string, event: string }[]} events of one kind */
function toldTwice(events) {
  const more = events.length - new Set(events.map(({ id }) => id)).size
  return more === 0 ? [] : [`twice: ${more} events "${events[0]?.event}"`]
}

/**
 * A session's ordinary messages to another are read in the order in which they were sent.
 * @param {{ id: string, by: string }[]} reads @param {import('./load.mjs').Done} done
 */
function outOfOrder(reads, done) {
  const urgent = new Set([...done.sent.values()].filter((one) => one.urgent).map(({ id }) => id))
  /** @type {Map<string, string>} */
  const last = new Map()
  const wrong = []
  for (const { id, by } of reads) {
    if (urgent.has(id)) continue
    const pair = `${id.split('-from-')[1]} to ${by}`
    const before = last.get(pair)
    if (before !== undefined && before > id)
      wrong.push(`order: ${id} was read by @${by} after ${before}`)
    last.set(pair, id)
  }
  return wrong
}
