import { keptIn, tornFiles } from './kept.mjs'

/**
 * The numbers of a row. `traced`: of random kills, those that found a trace of the command's work; `remedies`: errors that named a remedy, and all errors. `doctor`, `second`: what the first doctor found and what the second one found.
 * @typedef {{ runs: number, traced: number, messages: number, lost: number, torn: number, duplicated: number, shownAgain: number, stuck: number, remedies: [number, number], doctor: number, second: number, wrong: string[] }} Counts
 * @typedef {import('./world.mjs').World} World
 * @typedef {import('./kept.mjs').Kept} Kept
 */

/** @returns {Counts} */
export function noCounts() {
  return {
    runs: 0,
    traced: 0,
    messages: 0,
    lost: 0,
    torn: 0,
    duplicated: 0,
    shownAgain: 0,
    stuck: 0,
    remedies: [0, 0],
    doctor: 0,
    second: 0,
    wrong: [],
  }
}

/**
 * Counts what has become of a world's messages, from its disk and from what its commands have printed.
 * @param {World} world
 * @returns {Pick<Counts, 'messages' | 'lost' | 'torn' | 'duplicated' | 'shownAgain' | 'stuck' | 'remedies' | 'wrong'>}
 */
export function countWorld(world) {
  const kept = keptIn(world.home)
  const often = showings(world)
  const errors = world.runs.filter(
    (run) => run.args[0] !== 'doctor' && !run.killed && !run.late && run.code !== 0,
  )
  const unnamed = errors.filter((run) => !namesRemedy(run))
  return {
    messages: world.sends.length,
    lost: world.sends.filter((send) => isLost(send, kept, often)).length,
    torn: kept.filter(({ whole }) => !whole).length + tornOutputs(world) + tornFiles(world.home),
    duplicated: world.sends.reduce((sum, send) => sum + duplicatesOf(send, kept, often), 0),
    shownAgain: [...often.values()].reduce((sum, { cut }) => sum + cut, 0),
    stuck:
      world.runs.filter(({ late }) => late).length +
      kept.filter(({ place, number }) => place === 'unread' && number !== undefined).length,
    remedies: [errors.length - unnamed.length, errors.length],
    wrong: [
      ...world.wrong,
      ...strange(world, kept, often),
      ...unnamed.map(
        ({ args, code, signal, stderr }) =>
          `no remedy: ${args.slice(0, 3).join(' ').split('\n')[0]} ended with ${code ?? signal}: ${stderr.split('\n').slice(0, 2).join(' / ')}`,
      ),
    ],
  }
}

/**
 * Adds the numbers of one world to those of a row.
 * @param {Counts} sum
 * @param {Partial<Counts>} more
 */
export function add(sum, more) {
  for (const key of /** @type {const} */ ([
    'runs',
    'traced',
    'messages',
    'lost',
    'torn',
    'duplicated',
    'shownAgain',
    'stuck',
    'doctor',
    'second',
  ]))
    sum[key] += more[key] ?? 0
  sum.remedies = [
    sum.remedies[0] + (more.remedies?.[0] ?? 0),
    sum.remedies[1] + (more.remedies?.[1] ?? 0),
  ]
  sum.wrong.push(...(more.wrong ?? []))
  return sum
}

/**
 * Whether an error says what to do: its own line and a hint, and not that agent-chat itself is at fault.
 * @param {import('./process.mjs').Run} run
 */
function namesRemedy({ stderr }) {
  return /^agent-chat: .+\n {2}hint: .+$/m.test(stderr) && !stderr.includes('a fault of agent-chat')
}

/**
 * How often each message was shown whole: `done` by commands that ended well, `cut` by others, of which each but the only one counts as shown again.
 * @param {World} world
 */
function showings({ shown }) {
  /** @type {Map<number, { done: number, cut: number }>} */
  const often = new Map()
  for (const { whole, fine } of shown)
    for (const number of whole) {
      const before = often.get(number) ?? { done: 0, cut: -1 }
      often.set(
        number,
        fine ? { ...before, done: before.done + 1 } : { ...before, cut: before.cut + 1 },
      )
    }
  for (const [number, { done, cut }] of often)
    often.set(number, { done, cut: done > 0 ? cut + 1 : Math.max(0, cut) })
  return often
}

/**
 * @param {import('./world.mjs').Send} send
 * @param {Kept[]} kept
 * @param {Map<number, unknown>} often
 */
function isLost({ number, fate, gone }, kept, often) {
  if (gone || often.has(number)) return false
  const places = kept.filter((file) => file.number === number).map(({ place }) => place)
  // What was marked as read and never shown is lost, whatever its sender was told.
  return places.includes('read') || (fate === 'said' && !places.includes('unread'))
}

/**
 * @param {import('./world.mjs').Send} send
 * @param {Kept[]} kept
 * @param {Map<number, { done: number }>} often
 */
function duplicatesOf({ number, fate }, kept, often) {
  const files = kept.filter((file) => file.number === number)
  const ids = new Set(files.map(({ id }) => id)).size
  const delivered = often.has(number) || files.some(({ place }) => place !== 'messages')
  // Who was told that it was not sent sends it again.
  const refused = fate === 'refused' && delivered ? 1 : 0
  return Math.max(0, (often.get(number)?.done ?? 0) - 1) + Math.max(0, ids - 1) + refused
}

/**
 * What there is to know of each message that is lost, there twice, or still unread.
 * @param {World} world
 * @param {Kept[]} kept
 * @param {Map<number, { done: number, cut: number }>} often
 */
function strange({ sends }, kept, often) {
  return sends
    .filter(
      (send) =>
        isLost(send, kept, often) ||
        duplicatesOf(send, kept, often) > 0 ||
        kept.some(({ number, place }) => number === send.number && place === 'unread'),
    )
    .map((send) => {
      const files = kept
        .filter(({ number }) => number === send.number)
        .map(({ place, id }) => `${place} ${id}`)
      const { code, signal, stderr } = send.run ?? {}
      const { done = 0, cut = 0 } = often.get(send.number) ?? {}
      return `message ${send.number} (${send.words}: ${code ?? signal}, ${send.fate}, ${stderr?.split('\n')[0]}) shown ${done} times, ${cut} before; ${files.join(', ')}`
    })
}

/** Messages of which a command that ended well has shown a part. @param {World} world */
function tornOutputs({ shown }) {
  return shown.filter(({ fine }) => fine).reduce((sum, { part }) => sum + part.length, 0)
}
