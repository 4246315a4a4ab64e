import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WORKER = fileURLToPath(new URL('./sender.mjs', import.meta.url))

/**
 * Runs node with these arguments again and again, so many at once; gives how many end in a second. Each of them is a session of its own. Where they have a
 * home, all of them must have come into its inbox.
 * @param {number} senders
 * @param {{ argv: string[], env: NodeJS.ProcessEnv, ms: number }} command `ms`: how long none waits for another to begin
 */
export async function rateOfCommands(senders, { argv, env, ms }) {
  const before = inInbox(env.AGENT_CHAT_HOME)
  const start = performance.now()
  let ended = 0
  const loop = async (/** @type {number} */ number) => {
    while (performance.now() - start < ms) {
      const name = { ...env, AGENT_CHAT_NAME: `sender-${number}` }
      const child = spawn(process.execPath, argv, {
        env: name,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const [code] = await once(child, 'exit')
      if (code !== 0) throw new Error(`node ${argv.join(' ')} ended with ${code}`)
      ended += 1
    }
  }
  await Promise.all(Array.from({ length: senders }, (_, index) => loop(index + 1)))
  const rate = (ended * 1000) / (performance.now() - start)
  if (env.AGENT_CHAT_HOME !== undefined) expectCame(env.AGENT_CHAT_HOME, before, ended)
  return rate
}

/**
 * Messages in a second through the library, or floors of a send, in one process for each sender; all begin at the same time, warmed up.
 * @param {number} senders
 * @param {{ root: string, library: string, what: 'send' | 'floor', ms: number }} work
 */
export async function rateOfLibrary(senders, { root, library, what, ms }) {
  const before = inInbox(root)
  const workers = Array.from({ length: senders }, (_, index) =>
    spawn(process.execPath, [WORKER, library, root, `sender-${index + 1}`, what, String(ms)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  const told = (/** @type {import('node:child_process').ChildProcess} */ { stdout }) =>
    stdout && once(stdout, 'data')
  await Promise.all(workers.map(told))
  const results = Promise.all(workers.map(told))
  for (const { stdin } of workers) stdin.write('go\n')
  const sent = (await results).map((result) => JSON.parse(String(result?.[0])))
  const sum = (/** @type {(one: { count: number, warm: number, ms: number }) => number} */ of) =>
    sent.reduce((total, one) => total + of(one), 0)
  if (what === 'send')
    expectCame(
      root,
      before,
      sum(({ count, warm }) => count + warm),
    )
  return sum(({ count, ms: taken }) => (count * 1000) / taken)
}

/**
 * Whoever is fast because messages get lost is not fast.
 * @param {string} root
 * @param {number} before
 * @param {number} sent
 */
function expectCame(root, before, sent) {
  const came = inInbox(root) - before
  if (came !== sent)
    throw new Error(`${sent} messages were sent, and ${came} have come into the inbox`)
}

/** @param {string | undefined} root */
function inInbox(root) {
  if (root === undefined) return 0
  try {
    const names = readdirSync(join(root, 'inbox', 'frontend'))
    return names.filter((name) => !name.startsWith('.') && name.endsWith('.md')).length
  } catch (error) {
    // The first of its senders makes it.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}
