import { existsSync, renameSync, rmSync } from 'node:fs'
import { isStopped, letGoOn, until } from '../process.mjs'
import { APART, stepsOf } from '../steps.mjs'
import { mustEnd, mustRing, startWatcher } from '../watcher.mjs'
import { wayTo } from './kill.mjs'

/** From this step on, a message stands in the inbox, and goes with it. */
const SENT = ['send:linked', 'send:synced', 'send:recorded', 'send:rung']

/** @returns {import('../lab.mjs').Case[]} */
export function homeCases() {
  return [
    {
      name: 'home removed at each step',
      promise:
        'the command ends, done or with the reason; what says sent is there; the next one makes a new home',
      run: async (lab, counts) => {
        for (const [word, steps] of stepsOf())
          if (!APART.includes(word)) for (const step of steps) await removeAt(step, lab, counts)
      },
    },
    {
      name: 'home removed while an ask waits',
      promise: 'it ends at its time at the latest',
      run: async (lab, counts) => {
        counts.runs += 1
        const world = lab.world()
        await world.open()
        const job = world.startSend([
          'ask',
          '@frontend',
          'BODY',
          '--as',
          'backend',
          '--timeout',
          '6',
        ])
        await until(() => job.said().stderr.includes('waiting'))
        removeHome(world)
        await job.ended
        await world.goOn('removed')
        await lab.finish(world, counts, 'removed')
      },
    },
    {
      name: 'home removed while a watcher waits',
      promise: 'it ends within seconds, says why, and brings nothing of it back',
      run: async (lab, counts) => {
        counts.runs += 1
        const world = lab.world()
        await world.open()
        const watcher = await startWatcher(world)
        await mustRing(world, watcher)
        removeHome(world)
        await mustEnd(world, watcher, 'the home is gone')
        if (existsSync(world.home)) world.wrong.push('the watcher has brought the home back')
        await world.goOn('removed')
        await lab.finish(world, counts, 'removed')
      },
    },
  ]
}

/**
 * @param {string} step
 * @param {import('../lab.mjs').Lab} lab
 * @param {import('../lab.mjs').Counts} counts
 */
async function removeAt(step, lab, counts) {
  counts.runs += 1
  const world = lab.world()
  const when = `removed at ${step}`
  const { before, strike } = wayTo(step.split(':')[0] ?? '')
  await world.open()
  await before?.(world)
  const job = strike(world, `${step}:stop`, 0)
  if (!(await until(() => isStopped(job.child.pid)))) world.wrong.push(`${step} was not reached`)
  removeHome(world, SENT.includes(step) ? 0 : 1)
  await letGoOn(job.child)
  await job.ended
  await world.goOn(when)
  await lab.finish(world, counts, when)
}

/**
 * Removes the home by hand, and with it what was sent; the last of the sends may have still to come.
 * @param {import('../world.mjs').World} world
 * @param {number} toCome
 */
function removeHome(world, toCome = 0) {
  const under = world.sends.filter(({ run }) => run === undefined).length
  const last = toCome > 0 && under > 0 ? world.sends.length - 1 : world.sends.length
  for (const send of world.sends.slice(0, last)) send.gone = true
  // At once: who sees half of it gone may take another reason for the end than that.
  const aside = `${world.home}.gone`
  renameSync(world.home, aside)
  rmSync(aside, { recursive: true, force: true, maxRetries: 5 })
}
