import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildLibrary } from './bundle.mjs'
import { count, ratio, table } from './group.mjs'
import { runOnce, startAgent } from './process.mjs'
import { rateOfCommands, rateOfLibrary } from './rates.mjs'
import { inTurn, ratioOf, timesOf } from './turns.mjs'

/** So many at once. */
const SENDERS = [1, 2, 4, 8, 16]

/** So often each is measured, and for so long, in milliseconds. Both of a pair are the first one equally often. */
const ROUNDS = 6
const ROUND_MS = 600

/**
 * Messages in a second with 1 to 16 senders at once, to one inbox: as commands, each a process, beside as many bare nodes; and through the library, in one
 * process for each sender, beside the floor of a send. The gate is off, which counts messages and would hold them. What was sent is counted in the inbox.
 * @param {import('./group.mjs').Plan} plan
 * @returns {Promise<import('./group.mjs').Part>}
 */
export async function throughputGroup({ directory, program, ready, say }) {
  const library = await buildLibrary(directory)
  const rows = []
  for (const senders of SENDERS) {
    say(`${senders} senders`)
    const root = join(directory, `throughput-${senders}`)
    mkdirSync(root)
    const commands = await besideNodes(senders, join(root, 'cli'), program, ready)
    const sends = await besideFloor(senders, root, library, ready)
    rows.push([String(senders), ...commands, ...sends])
  }
  return {
    lines: [
      `### Messages a second, ${ROUNDS} rounds of ${ROUND_MS / 1000} s`,
      '',
      ...table(HEAD, rows),
    ],
    checks: [],
  }
}

const HEAD = [
  'senders',
  '`node -e 0`',
  '`agent-chat send`',
  '÷',
  'floor of a send',
  '`sendMessage()`',
  '÷',
]

/**
 * @param {number} senders
 * @param {string} root
 * @param {import('./group.mjs').Program} program
 * @param {() => void} ready
 */
async function besideNodes(senders, root, { script, env }, ready) {
  const home = { ...env, AGENT_CHAT_HOME: root, AGENT_CHAT_GATE: 'off' }
  const frontend = await startAgent(script, 'frontend', home)
  for (let number = 1; number <= senders; number += 1)
    runOnce([script, 'join', `sender-${number}`, '--no-watch'], { env: home })
  const send = [script, 'send', '@frontend', 'GET /tasks is ready, with pages of fifty']
  const cells = [
    { name: 'floor', run: () => rateOfCommands(senders, { argv: ['-e', '0'], env, ms: ROUND_MS }) },
    { name: 'ours', run: () => rateOfCommands(senders, { argv: send, env: home, ms: ROUND_MS }) },
  ]
  const rates = await inTurn(cells, ROUNDS, { ready, warm: false })
  frontend.kill()
  return cellsOf(rates)
}

/**
 * @param {number} senders
 * @param {string} root
 * @param {string} library
 * @param {() => void} ready
 */
async function besideFloor(senders, root, library, ready) {
  const through = (/** @type {'send' | 'floor'} */ what) => () =>
    rateOfLibrary(senders, { root: join(root, what), library, what, ms: ROUND_MS })
  const cells = [
    { name: 'floor', run: through('floor') },
    { name: 'ours', run: through('send') },
  ]
  return cellsOf(await inTurn(cells, ROUNDS, { ready, warm: false }))
}

/** @param {Map<string, number[]>} rates */
function cellsOf(rates) {
  const rate = (/** @type {string} */ name) => count(timesOf(rates, name).median)
  return [rate('floor'), rate('ours'), ratio(ratioOf(rates, 'ours', 'floor'))]
}
