import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanEnv } from '../../bench/process.mjs'
import { until, works } from '../process.mjs'
import { stepsOf } from '../steps.mjs'

/** An input line that notes every piece that its terminal gives it. */
const AGENT = fileURLToPath(new URL('../../test/tmux/agent.mjs', import.meta.url))
/** Here the line has been entered, and nobody knows it yet. */
const ENTERED = 'ring:entered'
const RING = 'New message from @backend. Check inbox.'

/**
 * The watcher is killed while it rings a real pane, on a tmux server of the case's own.
 * @returns {import('../lab.mjs').Case[]}
 */
export function ringCases() {
  const needs = () => (works('tmux', '-V') ? undefined : 'tmux is missing')
  const steps = stepsOf().get('ring') ?? []
  return [
    {
      name: 'kill at each step: ring',
      promise:
        'the next watcher rings, once, with the whole line; again where the first was killed before it could note it',
      again: true,
      needs,
      run: async (lab, counts) => {
        const faults = [...steps, ...steps]
        await ringing(
          lab,
          counts,
          faults.map((fault) => ({ fault })),
        )
        const entered = faults.filter((fault) => fault === ENTERED).length
        if (counts.shownAgain > entered)
          counts.wrong.push(`${counts.shownAgain} rings came again, not ${entered}`)
      },
    },
    {
      name: 'kill at random times: ring',
      promise:
        'the next watcher rings, with the whole line; again where the first was killed before it could note it',
      again: true,
      needs,
      run: async (lab, counts) => {
        const rounds = Math.ceil(lab.rounds / 3)
        await ringing(
          lab,
          counts,
          Array.from({ length: rounds }, () => ({ part: lab.random() })),
        )
      },
    },
  ]
}

/**
 * Each round sends one message, kills a watcher that is to ring for it, and has another one ring.
 * @param {import('../lab.mjs').Lab} lab
 * @param {import('../lab.mjs').Counts} counts
 * @param {{ fault?: string, part?: number }[]} kills
 */
async function ringing(lab, counts, kills) {
  const socket = join(lab.directory, 'tmux.sock')
  const log = join(lab.directory, 'pieces')
  const world = lab.world({ env: { TMUX: `${socket},0,0` } })
  const pane = startPane(socket, log, world.env)
  try {
    await world.fine('before', world.run(['join', 'backend', '--no-watch']))
    await world.fine(
      'before',
      world.run(['join', 'frontend', pane, '--no-watch', '--doorbell', 'tmux']),
    )
    const usual = (await ringOnce(world, socket)).ms
    for (const { fault, part } of kills) {
      counts.runs += 1
      await world.fine('before', sendNow(world))
      const how = fault === undefined ? { killAfterMs: (part ?? 0) * usual } : { fault }
      const { signal } = await world.launch(['watch', 'frontend'], how).ended
      if (signal !== 'SIGKILL')
        world.wrong.push(`the watcher was not killed at ${fault ?? 'a random time'}`)
      await ringOnce(world, socket)
    }
    countRings(linesIn(log), kills.length + 1, counts)
    await world.run(['leave', 'frontend'])
  } finally {
    spawnSync('tmux', ['-S', socket, 'kill-server'])
  }
  await world.goOn('after all the kills')
  await lab.finish(world, counts, 'after all the kills')
}

/**
 * A watcher rings for what is unread, and is ended; what was rung for is read.
 * @param {import('../world.mjs').World} world
 * @param {string} socket
 */
async function ringOnce(world, socket) {
  if (world.sends.length === 0) await world.fine('before', sendNow(world))
  const rung = () => eventsOf(world.home, 'rung').length
  const sent = world.sends.length
  const began = performance.now()
  const watcher = world.launch(['watch', 'frontend'], { limitMs: 60_000 })
  if (!(await until(() => rung() >= sent)))
    world.wrong.push(`message ${sent} was not rung for (tmux -S ${socket})`)
  const ms = performance.now() - began
  watcher.child.kill('SIGTERM')
  const run = await watcher.ended
  // It may not have begun to listen for that yet.
  run.killed = run.signal === 'SIGTERM'
  await world.fine('rung', world.read())
  return { ms }
}

/** More than twenty in ten minutes would be held back. @param {import('../world.mjs').World} world */
function sendNow(world) {
  rmSync(join(world.home, 'gate', 'backend.json'), { force: true })
  return world.send()
}

/**
 * A line that is not the ring is torn, a ring that never came is stuck, and one more than there were messages was rung again.
 * @param {string[]} lines
 * @param {number} messages
 * @param {import('../lab.mjs').Counts} counts
 */
function countRings(lines, messages, counts) {
  const whole = lines.filter((line) => line === RING).length
  counts.torn += lines.length - whole
  counts.stuck += Math.max(0, messages - whole)
  counts.shownAgain += Math.max(0, whole - messages)
}

/**
 * @param {string} socket
 * @param {string} log
 * @param {NodeJS.ProcessEnv} env
 */
function startPane(socket, log, env) {
  const { TMUX: _, ...own } = { ...cleanEnv(env.HOME ?? '/'), ...env }
  const tmux = (/** @type {string[]} */ ...args) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { env: own, encoding: 'utf8' })
  return tmux(
    'new-session',
    '-d',
    '-P',
    '-F',
    '#{pane_id}',
    '-x',
    '130',
    '-y',
    '40',
    '--',
    process.execPath,
    AGENT,
    log,
  ).trim()
}

/** The lines that were entered into the pane. @param {string} log */
function linesIn(log) {
  const pieces = readFileSync(log, 'utf8').split('\n').filter(Boolean)
  return pieces
    .map((piece) => JSON.parse(piece))
    .join('')
    .split('\r')
    .slice(0, -1)
}

/** @param {string} home @param {string} event */
function eventsOf(home, event) {
  const lines = readFileSync(join(home, 'history.log'), 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line)).filter((one) => one.event === event)
}
