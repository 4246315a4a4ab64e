import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeHome } from './home.mjs'
import { GROWTH_LIMIT } from './limits.mjs'
import { rowsOf } from './rows.mjs'
import { compareSizes, pick } from './sizes.mjs'

const SIZES = [3, 20, 200]

/** `who` and `status` print a line for each session, and look whether its process lives. */
const ROWS = [
  'send',
  'inbox',
  'reply',
  'history',
  'hook user-prompt-submit',
  'hook bell',
  'hook session-start',
  'who',
  'status',
]
const FLAT = ROWS.slice(0, -2)

const MOST_ROUNDS = 30

/**
 * With three sessions and more.
 * @param {import('./group.mjs').Plan} plan
 */
export async function growthOfSessions({ directory, program, rounds, ready, say }) {
  const homes = []
  for (const size of SIZES) {
    const home = await makeHome(join(directory, `sessions-${size}`), 100, program)
    addSessions(home.root, size)
    homes.push({ size, home, rows: pick(rowsOf(home, program), ROWS) })
  }
  say('growth with sessions')
  const part = await compareSizes({
    ...{ title: 'Sessions', of: 'sessions', homes, ready },
    limits: Object.fromEntries(FLAT.map((name) => [name, GROWTH_LIMIT])),
    rounds: Math.min(rounds, MOST_ROUNDS),
  })
  for (const { home } of homes) home.close()
  return part
}

/**
 * Registers sessions until there are so many, each with an inbox; the live process of one stands for the agents of all.
 * @param {string} root
 * @param {number} size
 */
function addSessions(root, size) {
  const path = join(root, 'sessions.json')
  const sessions = JSON.parse(readFileSync(path, 'utf8'))
  for (let number = Object.keys(sessions).length + 1; number <= size; number += 1) {
    const name = `session-${number}`
    sessions[name] = { ...sessions.reviewer, name }
    mkdirSync(join(root, 'inbox', name, 'read'), { recursive: true, mode: 0o700 })
  }
  writeFileSync(path, JSON.stringify(sessions), { mode: 0o600 })
}
