import { lstatSync, lutimesSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { changeEverything } from '../everything.mjs'
import { joinPastDead } from '../free.mjs'
import { isStopped, letGoOn, until } from '../process.mjs'

const HOUR_MS = 3_600_000
const YEAR_MS = 365 * 24 * HOUR_MS

/** What runs at the step may take its time of before and after it, and no more. In milliseconds. */
const PATIENCE_MS = 20_000

/** So long after its start, a second reader waits for the first. In milliseconds. */
const SEEN_MS = 1500

/**
 * The clock is set between two commands, and under those that run. What was done before is as an earlier clock has left it: ids, history and the times of files.
 * @returns {import('../lab.mjs').Case[]}
 */
export function clockCases() {
  const promise =
    'nothing is lost or held up; what waits ends at its time; a lock of the dead is free after 4 s'
  return [
    {
      name: 'clock set back an hour',
      promise,
      again: true,
      run: (lab, counts) => stepBy(-HOUR_MS, lab, counts),
    },
    {
      name: 'clock set forward a year',
      promise,
      again: true,
      run: (lab, counts) => stepBy(YEAR_MS, lab, counts),
    },
  ]
}

/**
 * @param {number} ms
 * @param {import('../lab.mjs').Lab} lab
 * @param {import('../lab.mjs').Counts} counts
 */
async function stepBy(ms, lab, counts) {
  for (const step of [
    'none',
    'registry:locked',
    'send:written',
    'send:published',
    'send:linked',
    'inbox:printed',
    'inbox:moved',
  ]) {
    counts.runs += 1
    const world = lab.world()
    const env = world.clockAhead(-ms)
    const when = `killed at ${step}, then the clock was set`
    await world.fine('before', world.run(['join', 'backend', '--no-watch'], { env }))
    await world.fine('before', world.run(['join', 'frontend', '--no-watch'], { env }))
    for (let sent = 0; sent < 3; sent += 1) await world.fine('before', world.send({ env }))
    if (step === 'none') await waitThrough(world, env, ms)
    else {
      if (step === 'registry:locked')
        await world.run(['join', 'docs', '--no-watch'], { env, fault: step })
      else
        await (step.startsWith('send')
          ? world.send({ env, fault: step })
          : world.read({ env, fault: step }))
      setClock(world, ms)
    }
    if (step === 'registry:locked') await joinPastDead(world, when)
    await world.goOn(when)
    await changeEverything(world)
    await lab.finish(world, counts, when)
  }
}

/**
 * An ask, a reader that was stopped, and a reader that waits for it, while the clock is set: each has its end.
 * @param {import('../world.mjs').World} world
 * @param {NodeJS.ProcessEnv} env
 * @param {number} ms
 */
async function waitThrough(world, env, ms) {
  const limitMs = PATIENCE_MS
  const asked = world.startSend(['ask', '@frontend', 'BODY', '--as', 'backend', '--timeout', '3'], {
    env,
    limitMs,
  })
  await until(() => asked.said().stderr.includes('waiting'))
  const first = world.startRead(['inbox', 'frontend'], {
    env,
    fault: 'inbox:printed:stop',
    limitMs: 2 * limitMs,
  })
  await until(() => isStopped(first.child.pid))
  const second = world.startRead(['inbox', 'frontend'], { env, limitMs })
  await pause(SEEN_MS)
  setClock(world, ms)
  const { code } = await second.ended
  if (code === 0) world.wrong.push('a second reader did not wait for the first')
  await letGoOn(first.child)
  await first.ended
  await asked.ended
}

/**
 * The clock is the machine's from now on, and what lies there has the times of the clock before.
 * @param {import('../world.mjs').World} world
 * @param {number} ms
 */
function setClock(world, ms) {
  for (const file of readdirSync(world.home, { recursive: true, encoding: 'utf8' })) {
    const path = join(world.home, file)
    const before = (lstatSync(path).mtimeMs - ms) / 1000
    lutimesSync(path, before, before)
  }
  world.clockAhead(0)
}
