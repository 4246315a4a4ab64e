import { GROWTH_LIMIT } from './limits.mjs'
import { compareSizes, pick } from './sizes.mjs'

/** What agents and their hosts run all day. */
const ROWS = [
  'send',
  'inbox',
  'reply',
  'tasks --open',
  'status',
  'hook user-prompt-submit',
  'hook bell',
]

const MOST_ROUNDS = 30

/**
 * With a hundred old messages and more, in steps of ten.
 * @param {import('./group.mjs').Plan} plan
 */
export async function growthOfArchive({ world, archiveMax, rounds, ready, say }) {
  const homes = []
  for (let size = 100; size <= archiveMax; size *= 10) {
    say(`a home with ${size} old messages`)
    homes.push({ size, rows: pick((await world(size)).rows, ROWS) })
  }
  say('growth with old messages')
  return compareSizes({
    ...{ title: 'Old messages', of: 'messages', homes, ready },
    limits: Object.fromEntries(ROWS.map((name) => [name, GROWTH_LIMIT])),
    rounds: Math.min(rounds, MOST_ROUNDS),
  })
}
