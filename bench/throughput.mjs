import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildLibrary } from './bundle.mjs'
import { count, table, two } from './group.mjs'
import { runOnce, startAgent } from './process.mjs'

const WORKER = fileURLToPath(new URL('./sender.mjs', import.meta.url))

/** So many at once. */
const SENDERS = [1, 2, 4, 8, 16]

/** As long as each of them sends, in milliseconds. */
const SENDING_MS = 3000

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
    ready()
    const nodes = await asCommands(senders, { argv: ['-e', '0'], env: program.env })
    ready()
    const commands = await throughCommands(senders, join(root, 'cli'), program)
    ready()
    const floor = await throughLibrary(senders, join(root, 'floor'), library, 'floor')
    ready()
    const sends = await throughLibrary(senders, join(root, 'library'), library, 'send')
    const over = [two(commands / nodes), two(sends / floor)]
    rows.push([
      String(senders),
      count(nodes),
      count(commands),
      `**${over[0]}**`,
      count(floor),
      count(sends),
      `**${over[1]}**`,
    ])
  }
  return { lines: ['### Messages a second', '', ...table(HEAD, rows)], checks: [] }
}

const HEAD = ['senders', '`node -e 0`', '`agent-chat send`', '÷', 'floor of a send', '`sendMessage()`', '÷']

/**
 * @param {number} senders
 * @param {string} root
 * @param {import('./group.mjs').Program} program
 */
async function throughCommands(senders, root, { script, env }) {
  const home = { ...env, AGENT_CHAT_HOME: root, AGENT_CHAT_GATE: 'off' }
  const frontend = await startAgent(script, 'frontend', home)
  for (let number = 1; number <= senders; number += 1)
    runOnce([script, 'join', `sender-${number}`, '--no-watch'], { env: home })
  const argv = [script, 'send', '@frontend', 'GET /tasks is ready, with pages of fifty']
  const rate = await asCommands(senders, { argv, env: home })
  frontend.kill()
  return rate
}

/**
 * Runs node with these arguments again and again, so many at once; gives how many end in a second. Each of them is a session of its own.
 * @param {number} senders
 * @param {{ argv: string[], env: NodeJS.ProcessEnv }} command
 */
async function asCommands(senders, { argv, env }) {
  const start = performance.now()
  let ended = 0
  const loop = async (/** @type {number} */ number) => {
    while (performance.now() - start < SENDING_MS) {
      const name = { ...env, AGENT_CHAT_NAME: `sender-${number}` }
      const child = spawn(process.execPath, argv, { env: name, stdio: ['ignore', 'ignore', 'inherit'] })
      const [code] = await once(child, 'exit')
      if (code !== 0) throw new Error(`node ${argv.join(' ')} ended with ${code}`)
      ended += 1
    }
  }
  await Promise.all(Array.from({ length: senders }, (_, index) => loop(index + 1)))
  const rate = (ended * 1000) / (performance.now() - start)
  expectInInbox(env.AGENT_CHAT_HOME, ended)
  return rate
}

/**
 * @param {number} senders
 * @param {string} root
 * @param {string} library
 * @param {'send' | 'floor'} what
 */
async function throughLibrary(senders, root, library, what) {
  const workers = Array.from({ length: senders }, (_, index) =>
    spawn(process.execPath, [WORKER, library, root, `sender-${index + 1}`, what, String(SENDING_MS)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  const told = (/** @type {import('node:child_process').ChildProcess} */ { stdout }) => stdout && once(stdout, 'data')
  await Promise.all(workers.map(told))
  const results = Promise.all(workers.map(told))
  for (const { stdin } of workers) stdin.write('go\n')
  const sent = (await results).map((result) => JSON.parse(String(result?.[0])))
  if (what === 'send')
    expectInInbox(
      root,
      sent.reduce((sum, { count: one }) => sum + one, 0),
    )
  return sent.reduce((sum, { count: one, ms }) => sum + (one * 1000) / ms, 0)
}

/**
 * Whoever is fast because messages get lost is not fast.
 * @param {string | undefined} root
 * @param {number} sent
 */
function expectInInbox(root, sent) {
  if (root === undefined) return
  const there = readdirSync(join(root, 'inbox', 'frontend')).filter(
    (name) => !name.startsWith('.') && name.endsWith('.md'),
  )
  if (there.length !== sent) throw new Error(`${sent} messages were sent, and ${there.length} are in the inbox`)
}
