import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { numberIn } from './bodies.mjs'

/**
 * What is wrong in the home after all was said and read, one line each; and what can be counted there.
 * @param {import('./home.mjs').SoakHome} home @param {import('./load.mjs').Done} done
 */
export function judgeHome({ root, names }, done) {
  const wrong = [...done.failed.map((what) => `failed: ${what}`), ...done.torn.map((what) => `torn: ${what}`)]
  const events = readFileSync(join(root, 'history.log'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const files = new Set(namesIn(join(root, 'messages')))
  const known = new Set()
  for (const [number, { id, to }] of done.sent) {
    known.add(`${id}.md`)
    const places = names
      .flatMap((name) => [
        [name, join(root, 'inbox', name, `${id}.md`)],
        [name, join(root, 'inbox', name, 'read', `${id}.md`)],
      ])
      .filter(([, path]) => existsSync(path ?? ''))
    if (places.length !== 1 || places[0]?.[0] !== to)
      wrong.push(`lost: ${id} to @${to} is in ${places.length} places: ${places.map(([, path]) => path).join(' ')}`)
    if (!files.has(`${id}.md`)) wrong.push(`lost: ${id} is not in the archive`)
    else if (numberIn(bodyIn(join(root, 'messages', `${id}.md`))) !== number) wrong.push(`torn: ${id} in the archive`)
  }
  for (const file of files) if (!known.has(file)) wrong.push(`never sent, or half: messages/${file}`)
  for (const [id, times] of done.shown) if (times > 1) wrong.push(`twice: ${id} was shown to its end ${times} times`)
  const count = (/** @type {string} */ event) => events.filter((one) => one.event === event)
  for (const kind of ['sent', 'read']) {
    const ids = count(kind).map(({ id }) => id)
    if (new Set(ids).size !== ids.length) wrong.push(`twice: ${ids.length - new Set(ids).size} events "${kind}"`)
  }
  if (count('sent').length !== done.sent.size)
    wrong.push(`the history tells of ${count('sent').length} messages, ${done.sent.size} were sent`)
  // What `doctor` added to the history tells when it was mended, not when it was read.
  wrong.push(
    ...outOfOrder(
      count('read').filter(({ mended }) => mended !== true),
      done,
    ),
  )
  return {
    wrong,
    read: count('read').length,
    rung: count('rung').flatMap(({ ids }) => ids).length,
    historyMb: readFileSync(join(root, 'history.log')).length / 2 ** 20,
  }
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
    if (before !== undefined && before > id) wrong.push(`order: ${id} was read by @${by} after ${before}`)
    last.set(pair, id)
  }
  return wrong
}

/** In a shorter run programs only warm up, and nothing is said of growth. */
const LEAST_MINUTES = 10

/**
 * What a watcher and a sender that were left alone hold, third by third of the run.
 * @param {{ files: number, mb: number, senderFiles: number, senderMb: number }[]} samples
 * @param {number} minutes
 */
export function judgeGrowth(samples, minutes) {
  const values = (/** @type {'files' | 'mb' | 'senderFiles' | 'senderMb'} */ key) => samples.map((one) => one[key])
  const rows = [
    growthOf('open files of a watcher', values('files'), { factor: 1, more: 1 }),
    growthOf('memory of a watcher, MB', values('mb'), { factor: 1.1, more: 2 }),
    growthOf('open files of a sender', values('senderFiles'), { factor: 1, more: 1 }),
    growthOf('memory of a sender, MB', values('senderMb'), { factor: 1.1, more: 5 }),
  ]
  return minutes < LEAST_MINUTES ? rows.map((row) => ({ ...row, grows: false })) : rows
}

/**
 * Whether something grows without end: in the last third of the run it is beyond the second third by more than noise. The first third is left out: there
 * programs warm up.
 * @param {string} what @param {number[]} values @param {{ factor: number, more: number }} noise
 */
function growthOf(what, values, { factor, more }) {
  const third = Math.floor(values.length / 3)
  const second = mean(values.slice(third, 2 * third))
  const last = mean(values.slice(2 * third))
  const limit = second * factor + more
  return { what, first: mean(values.slice(0, third)), second, last, limit, grows: third > 0 && last > limit }
}

/** @param {number[]} values */
export function mean(values) {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** @param {string} path */
function bodyIn(path) {
  const text = readFileSync(path, 'utf8')
  return text.slice(text.indexOf('\n---\n', 4) + 5, -1)
}

/** @param {string} directory */
function namesIn(directory) {
  return readdirSync(directory)
}
