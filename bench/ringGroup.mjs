import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ratio, spread, table, two } from './group.mjs'
import { RING_LIMIT_MS } from './limits.mjs'
import { mark } from './marks.mjs'
import { ringPane } from './ring.mjs'
import { ringHook } from './ringHook.mjs'
import { ringScript } from './ringScript.mjs'
import { summarize } from './stats.mjs'

/** @typedef {import('./stats.mjs').Summary} Summary */

/** A ring waits half a second before, to find everything quiet: fewer rounds say enough. */
const MOST_ROUNDS = 40

/**
 * From the message standing in the inbox to the agent, through each doorbell, beside what carries it.
 * @param {import('./group.mjs').Plan} plan
 * @returns {Promise<import('./group.mjs').Part>}
 */
export async function ringGroup({ directory, program, rounds: asked, say }) {
  const rounds = Math.min(asked, MOST_ROUNDS)
  say('ringing a hook')
  const native = await ringHook({ directory: folder(directory, 'native'), program, rounds })
  say('ringing a script')
  const script = await ringScript({ directory: folder(directory, 'script'), program, rounds })
  const rows = [
    line('a file event between two processes', native.event),
    line('native: in the inbox → the host hears of it', native.told, native.event),
    line('a file event, then a bare node to its end', native.floor),
    line('native: in the inbox → the hook has ended, the agent wakes', native.ring, native.floor),
    line('a file event, then a line to who reads it', script.floor),
    line('stdout: in the inbox → the line is read', script.ring, script.floor),
  ]
  const checks = []
  if (spawnSync('tmux', ['-V']).error) rows.push(['tmux is not there', '', '', '', ''])
  else {
    say('ringing a pane')
    const pane = await ringPane({ directory: folder(directory, 'pane'), program, rounds })
    rows.push(line('`tmux send-keys` → first byte in the pane', pane.floor))
    rows.push(
      line('tmux: in the inbox → first byte in the pane', pane.ring, pane.floor, RING_LIMIT_MS),
    )
    checks.push({ what: 'tmux doorbell, ms', summary: summarize(pane.ring), limit: RING_LIMIT_MS })
  }
  return { lines: [`### Doorbells, ${rounds} rings`, '', ...table(HEAD, rows)], checks }
}

const HEAD = ['from → to', 'median', 'quartiles', '÷ floor', 'limit']

/**
 * @param {string} name
 * @param {number[]} times
 * @param {number[]} [floor]
 * @param {number} [limit]
 */
function line(name, times, floor, limit) {
  const time = summarize(times)
  const over = floor && summarize(times.map((time, round) => time / (floor[round] ?? Number.NaN)))
  const marked = `**${two(time.median)} ms**${mark(time, limit)}`
  return [name, marked, `${spread(time)} ms`, over ? ratio(over) : '', limit ? `${limit} ms` : '']
}

/**
 * @param {string} directory
 * @param {string} name
 */
function folder(directory, name) {
  const path = join(directory, name)
  mkdirSync(path)
  return path
}
