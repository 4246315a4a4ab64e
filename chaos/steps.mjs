import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPruned, makePrunable, startPrune } from './pruned.mjs'

const SOURCES = fileURLToPath(new URL('../src', import.meta.url))

/**
 * How a step is reached. `before` makes what the command needs, `strike` starts the command that meets the step; `round` counts from 0. What it starts is in
 * `world.runs` when it has ended. `goOn` is what works right after it, where that is not everyday use; `codes` is what the same command may end with when it is done again.
 * `after` looks at what has come of it when it was done again; `made` is what `before` gave.
 * @typedef {{ promise: string, again?: boolean, codes?: number[], goOn?: (world: World, when: string) => Promise<void>, before?: (world: World) => Promise<any>, after?: (world: World, made: any, when: string) => Promise<void>, strike: (world: World, fault: string | undefined, round: number) => Job }} Way
 * @typedef {import('./world.mjs').World} World
 * @typedef {ReturnType<World['launch']>} Job
 */

/** @param {number} count @returns {(world: World) => Promise<void>} */
const unread = (count) => async (world) => {
  for (let sent = 0; sent < count; sent += 1) await world.fine('before', world.send())
}

/** @param {World} world */
const allRead = async (world) => {
  await unread(2)(world)
  await world.fine('before', world.read())
}

/**
 * First words of steps with a case of their own: `cases/ring.mjs` has a terminal, `cases/bell.mjs` runs hooks, a lane between machines ends in `test/links/`, and workers are killed at each step in
 * `test/worker/badDays.long.test.ts`.
 */
export const APART = ['ring', 'bell', 'work', 'lane']

/**
 * One way for each first word of a step's name, but for those that stand apart.
 * @type {Record<string, Way>}
 */
export const WAYS = {
  send: {
    promise: 'sent whole or not at all; never lost, never twice',
    strike: (world, fault) =>
      world.startSend(['send', '@frontend', 'BODY', '--as', 'backend'], { fault }),
  },
  index: {
    promise: 'the lists of conversations are made anew by whoever needs them',
    before: async (world) => {
      await world.fine('before', world.send())
      for (const list of ['threads', 'tasks'])
        rmSync(join(world.home, list), { recursive: true, force: true })
    },
    strike: (world, fault) => {
      const [id = ''] = messageIds(world.home)
      return world.startSend(['send', '@frontend', 'BODY', '--as', 'backend', '--reply-to', id], {
        fault,
      })
    },
  },
  ask: {
    promise: 'nothing is asked, and the next one who asks is not held up',
    codes: [5],
    strike: (world, fault) =>
      world.startSend(['ask', '@frontend', 'BODY', '--as', 'backend', '--timeout', '1'], {
        fault,
      }),
  },
  inbox: {
    promise: 'unread stays unread; what was printed and not marked is shown again',
    again: true,
    before: unread(3),
    strike: (world, fault) => world.startRead(['inbox', 'frontend'], { fault }),
  },
  registry: {
    promise: 'the registry is the old one or the new one; the next join waits 4 s at most',
    // Who left just before it was killed is not there to leave again.
    codes: [0, 4],
    strike: (world, fault, round) =>
      world.launch(round % 2 ? ['leave', 'backend'] : ['join', 'docs', '--no-watch'], { fault }),
  },
  join: {
    promise: 'registered or not, never half; its messages stay',
    before: unread(1),
    strike: (world, fault) => world.launch(['join', 'docs', '--no-watch'], { fault }),
  },
  leave: {
    promise: 'registered or not, never half; its messages stay',
    codes: [0, 4],
    before: unread(1),
    strike: (world, fault) => world.launch(['leave', 'frontend'], { fault }),
  },
  prune: {
    promise:
      'what must stay does, whole; the next prune removes the rest, and may go on telling of it',
    before: makePrunable,
    strike: (world, fault) => startPrune(world, { fault }),
    after: checkPruned,
  },
  rename: {
    promise: 'the next inbox, rename or doctor ends the rename; each message is read once',
    codes: [0, 4],
    // Nobody may join under either name before the rename is ended, and the old one stands for the new one after it.
    goOn: async (world, when) => {
      await world.fine(when, world.read())
      await world.fine(when, world.send())
      await world.fine(when, world.read())
    },
    before: async (world) => {
      await allRead(world)
      await unread(2)(world)
    },
    strike: (world, fault) => world.launch(['rename', 'frontend', 'site'], { fault }),
  },
}

/**
 * Every step at which the program can be ended, as its sources name them, by their first words. A new step is found here by itself; a new first word
 * without a way to it is an error.
 * @returns {Map<string, string[]>}
 */
export function stepsOf() {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  )
  const texts = files.map((file) => readFileSync(join(SOURCES, file), 'utf8'))
  const steps = texts.flatMap((text) =>
    [...text.matchAll(/faultPoint\('([^']+)'\)/g)].map(([, step = '']) => step),
  )
  /** @type {Map<string, string[]>} */
  const byWord = new Map()
  for (const step of [...new Set(steps)].sort()) {
    const [word = ''] = step.split(':')
    if (!APART.includes(word) && WAYS[word] === undefined)
      throw new Error(`nothing here reaches the step ${step}`)
    byWord.set(word, [...(byWord.get(word) ?? []), step])
  }
  return byWord
}

/** @param {string} home */
export function messageIds(home) {
  const files = readdirSync(join(home, 'messages')).filter(
    (file) => file.endsWith('.md') && !file.startsWith('.'),
  )
  return files.map((file) => file.slice(0, -'.md'.length)).sort()
}
