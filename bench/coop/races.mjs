import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildLibrary, loadHooks } from './library.mjs'
import { makeTrees, randomFrom } from './replay.mjs'

/** What races came to: how many had one winner, and how many none or more, or files that say something else. @typedef {{ races: number, one: number, other: number }} Races */

const NAMES = ['alpha', 'beta', 'gamma', 'delta']
/** Any two of them may cover one file. */
const PATTERNS = ['src/**', 'src/api/**', 'src/api/a.ts', '**', 'src/*/a.ts']

/** What the others are told; the second only where a machine stood still for 10 s. */
const LOST = /^(?:NAME_TAKEN|LOCKED)$/

/**
 * Four sessions in two worktrees, each a process, claim files that overlap at the same moment, again and again. The winner gives them back.
 * @param {number} count
 * @param {number} seed
 * @returns {Promise<Races>}
 */
export async function race(count, seed) {
  const directory = mkdtempSync(join(tmpdir(), 'agent-chat-races-'))
  /** @type {import('node:child_process').ChildProcess[]} */
  let racers = []
  try {
    await buildLibrary(directory)
    const trees = makeTrees(directory, new Map())
    const root = join(directory, 'home')
    racers = NAMES.map(() => fork(join(directory, 'racer.js'), { stdio: 'inherit' }))
    const orders = NAMES.map((name, at) => ({ root, name, cwd: trees[at % 2] ?? '' }))
    const members = orders.map(({ name, cwd: tree }, at) => {
      return { name, tree, pid: racers[at]?.pid ?? 0, turn: /** @type {const} */ ('you') }
    })
    await loadHooks(directory).openSessions(root, members, {})
    const random = randomFrom(seed)
    let one = 0
    for (let round = 0; round < count; round += 1) {
      const said = await Promise.all(
        orders.map((order, at) => {
          const pattern = PATTERNS[Math.floor(random() * PATTERNS.length)]
          return tell(racers[at], { ...order, pattern })
        }),
      )
      const winner = said.indexOf('won')
      const isOne = said.every((word, at) => (at === winner ? word === 'won' : LOST.test(word)))
      const holders = claimsIn(root).map(({ name }) => name)
      const isHeld = holders.length === 1 && holders[0] === NAMES[winner]
      if (winner < 0) continue
      const released = await tell(racers[winner], orders[winner] ?? {})
      if (isOne && isHeld && released === 'won' && claimsIn(root).length === 0) one += 1
    }
    return { races: count, one, other: count - one }
  } finally {
    for (const racer of racers) racer.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Sends a racer its order and waits for its word. @param {import('node:child_process').ChildProcess | undefined} racer @param {object} order */
async function tell(racer, order) {
  if (!racer) throw new Error('there is no such racer')
  const answer = once(racer, 'message')
  racer.send(order)
  return String((await answer)[0])
}

/** What is claimed, as the files say. @param {string} root @returns {{ name: string }[]} */
function claimsIn(root) {
  const folder = join(root, 'claims')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).claims)
}
