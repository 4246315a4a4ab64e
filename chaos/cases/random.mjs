import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lookOf, takeAim, wrongAim } from '../aim.mjs'
import { add } from '../count.mjs'
import { pruneUncut, startPrune } from '../pruned.mjs'

const BEGUN = fileURLToPath(new URL('../begun.cjs', import.meta.url))

/**
 * A command that is killed at random times: what it needs, and what has to work after it, each time (`after`) and once more when all is over (`atLast`).
 * @typedef {{ promise: string, again?: boolean, every?: number, before?: (world: import('../world.mjs').World) => Promise<unknown>, strike: (world: import('../world.mjs').World, how: import('../world.mjs').How) => import('../steps.mjs').Job, after?: (world: import('../world.mjs').World, when: string) => Promise<unknown>, atLast?: (world: import('../world.mjs').World, when: string) => Promise<unknown> }} Shot
 * @type {Record<string, Shot>}
 */
const SHOTS = {
  send: {
    promise: 'sent whole or not at all; never lost, never twice',
    strike: (world, how) => world.startSend(['send', '@frontend', 'BODY', '--as', 'backend'], how),
    after: (world, when) => world.fine(when, world.read()),
  },
  inbox: {
    promise: 'unread stays unread; what was printed and not marked is shown again',
    again: true,
    before: async (world) => {
      for (let sent = 0; sent < 3; sent += 1) await world.fine('before', world.send())
    },
    strike: (world, how) => world.startRead(['inbox', 'frontend'], how),
  },
  join: {
    promise: 'the registry is the old one or the new one, and the next join works',
    strike: (world, how) => world.launch(['join', 'docs', '--no-watch'], how),
    after: (world, when) => world.fine(when, world.run(['join', 'other', '--no-watch'])),
  },
  leave: {
    promise: 'the registry is the old one or the new one, and the next join works',
    before: (world) => world.fine('before', world.run(['join', 'docs', '--no-watch'])),
    strike: (world, how) => world.launch(['leave', 'docs'], how),
  },
  prune: {
    promise:
      'what must stay does, whole; the next prune removes the rest, and may go on telling of it',
    before: async (world) => {
      for (let sent = 0; sent < 2; sent += 1) await world.fine('before', world.send())
      await world.fine('before', world.read())
      await world.fine('before', world.send())
    },
    strike: startPrune,
    atLast: pruneUncut,
  },
}

/** @returns {import('../lab.mjs').Case[]} */
export function randomCases() {
  return Object.entries(SHOTS).map(([name, shot]) => ({
    name: `kill at random times: ${name}`,
    promise: shot.promise,
    again: shot.again === true,
    run: async (lab, counts) => {
      const world = lab.world()
      await world.open()
      const aim = takeAim(await usualMs(world, shot), lab.random)
      /** @type {import('../aim.mjs').Hit[]} */
      const hits = []
      for (let round = 0; round < lab.rounds; round += 1) {
        await shot.before?.(world)
        const hit = await shoot(world, shot, aim.next())
        aim.note(hit)
        hits.push(hit)
        await shot.after?.(world, 'killed at a random time')
      }
      add(counts, {
        runs: hits.length,
        traced: hits.filter((hit) => hit === 'trace').length,
        wrong: wrongAim(hits),
      })
      await shot.atLast?.(world, 'after all the kills')
      await world.goOn('after all the kills')
      await lab.finish(world, counts, 'after all the kills')
    },
  }))
}

/**
 * Starts the command, kills it so long after that, and tells what the kill met.
 * @param {import('../world.mjs').World} world
 * @param {Shot} shot
 * @param {number} killAfterMs
 * @returns {Promise<import('../aim.mjs').Hit>}
 */
async function shoot(world, shot, killAfterMs) {
  const begun = join(world.root, 'begun')
  rmSync(begun, { force: true })
  const before = lookOf(world.home)
  const run = await shot.strike(world, { killAfterMs, preload: BEGUN, env: { CHAOS_BEGUN: begun } })
    .ended
  if (run.signal !== 'SIGKILL') return 'end'
  if (run.stdout !== '' || lookOf(world.home) !== before) return 'trace'
  return existsSync(begun) ? 'code' : 'start'
}

/**
 * How long the command takes here, in milliseconds: the median of five.
 * @param {import('../world.mjs').World} world
 * @param {Shot} shot
 */
async function usualMs(world, shot) {
  const times = []
  for (let round = 0; round < 5; round += 1) {
    await shot.before?.(world)
    const run = await shot.strike(world, {}).ended
    if (run.code !== 0) throw new Error(`it does not even work by itself: ${run.stderr}`)
    times.push(run.ms)
    await shot.after?.(world, 'before')
  }
  return times.sort((a, b) => a - b)[2] ?? 0
}
