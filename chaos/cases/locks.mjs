import { existsSync, mkdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { joinAtOnce, joinPastDead } from '../free.mjs'
import { findings } from '../lab.mjs'
import { isStopped, letGoOn, until } from '../process.mjs'

/** How long a holder of the registry's lock is stopped: long enough for others to take the lock over. In milliseconds. */
const STOPPED_MS = 5000

/** @returns {import('../lab.mjs').Case[]} */
export function lockCases() {
  return [
    {
      name: 'registry lock of a dead process',
      promise: 'the next join takes it over within 4 s, and doctor removes it',
      run: deadLock,
    },
    {
      name: 'a join stopped (SIGSTOP) while it has the registry lock',
      promise:
        'others go on after 4 s; when it continues, it undoes nothing of theirs, or says to try again',
      run: stoppedHolder,
    },
    {
      name: 'a reader stopped (SIGSTOP) half-way',
      promise:
        'nobody else shows the message; another reader is told who holds it; it goes on where it was',
      run: stoppedReader,
    },
  ]
}

/** @type {import('../lab.mjs').Case['run']} */
async function deadLock(lab, counts) {
  for (const ageMs of [0, 3_600_000, -3_600_000]) {
    for (const remedy of ['join', 'doctor']) {
      counts.runs += 1
      const world = lab.world()
      const when = `a dead process's lock, touched ${ageMs / 3_600_000} h ago`
      await world.open()
      if (ageMs === 0) await world.run(['join', 'docs', '--no-watch'], { fault: 'registry:locked' })
      else mkdirSync(lockOf(world))
      const at = new Date(Date.now() - ageMs)
      utimesSync(lockOf(world), at, at)
      if (remedy === 'join') await joinPastDead(world, when)
      else counts.doctor += await freeByDoctor(world, when)
      await lab.finish(world, counts, when)
    }
  }
}

/**
 * The doctor names the lock and removes it, and nobody has to wait for it any more. Gives how much it found.
 * @param {import('../world.mjs').World} world
 * @param {string} when
 */
async function freeByDoctor(world, when) {
  const found = await findings(world, when)
  if (!found.some(({ status, detail }) => status === 'mended' && detail.includes(lockOf(world))))
    world.wrong.push(`${when}: doctor mended no lock: ${JSON.stringify(found)}`)
  if (existsSync(lockOf(world))) world.wrong.push(`${when}: doctor left it`)
  await joinAtOnce(world, `${when}, after doctor`)
  return found.length
}

/** @type {import('../lab.mjs').Case['run']} */
async function stoppedHolder(lab, counts) {
  for (const step of ['registry:locked', 'registry:written', 'registry:replaced']) {
    counts.runs += 1
    const world = lab.world()
    await world.open()
    const job = world.launch(['join', 'docs', '--no-watch'], {
      fault: `${step}:stop`,
      limitMs: 60_000,
    })
    if (!(await until(() => isStopped(job.child.pid)))) world.wrong.push(`${step} was not reached`)
    const began = performance.now()
    await world.fine(`stopped at ${step}`, world.run(['join', 'other', '--no-watch']))
    await pause(Math.max(0, STOPPED_MS - (performance.now() - began)))
    job.child.kill('SIGCONT')
    const { code } = await job.ended
    const names = Object.keys(JSON.parse(readFileSync(join(world.home, 'sessions.json'), 'utf8')))
    // Who was stopped may be told to try again.
    for (const name of code === 0 ? ['docs', 'other'] : ['other'])
      if (!names.includes(name))
        world.wrong.push(`continued from ${step}: @${name} had joined, and is gone`)
    await lab.finish(world, counts, `continued from ${step}`)
  }
}

/** @type {import('../lab.mjs').Case['run']} */
async function stoppedReader(lab, counts) {
  for (const step of ['inbox:printed', 'inbox:moved']) {
    counts.runs += 1
    const world = lab.world()
    await world.open()
    for (let sent = 0; sent < 3; sent += 1) await world.fine('before', world.send())
    const job = world.startRead(['inbox', 'frontend'], { fault: `${step}:stop`, limitMs: 60_000 })
    if (!(await until(() => isStopped(job.child.pid)))) world.wrong.push(`${step} was not reached`)
    await world.fine(`stopped at ${step}`, world.send())
    const other = await world.read()
    if (other.code !== 1 || !other.stderr.includes(`process ${job.child.pid}`))
      world.wrong.push(`another reader ended with ${other.code}: ${other.stdout}${other.stderr}`)
    await letGoOn(job.child)
    const { code, stderr } = await job.ended
    if (code !== 0) world.wrong.push(`continued from ${step}, it ended with ${code}: ${stderr}`)
    await lab.finish(world, counts, `continued from ${step}`)
  }
}

/** @param {import('../world.mjs').World} world */
function lockOf(world) {
  return join(world.home, 'sessions.json.lock')
}
