import { setTimeout as pause } from 'node:timers/promises'
import { makeBody, numberIn } from './bodies.mjs'
import { runProgram } from './processes.mjs'

/** One of so many sends and reads is a command of its own; the others go through processes that live long. */
const BY_COMMAND = 1 / 3
/** One of so many messages is urgent, and may pass those before it. */
const URGENT = 1 / 20
/** One of so many reads is killed on its way. */
const KILLED_READS = 1 / 15
/** So many reads for each message that is sent, and watchers killed for each. */
const READS = 0.3
const WATCHER_KILLS = 1 / 160

/**
 * What was done, as far as it was told: `sent` by the number of the message, with its id and recipient; how often each id was `shown`; which reads
 * were `killed` before they gave an answer; and counts.
 * @typedef {{ sent: Map<number, { id: string, from: string, to: string, urgent: boolean }>, shown: Map<string, number>, torn: string[], failed: string[],
 *   reads: number, killed: import('./unshown.mjs').KilledRead[], commands: number, commandMs: { at: number, ms: number }[] }} Done
 */

/**
 * Sends, reads and kills for so many milliseconds, spread evenly.
 * @param {{ home: import('./home.mjs').SoakHome, script: string, senders: any[], readers: any[], watchers: any, messages: number, ms: number, random: () => number }} plan
 * @param {Done} done
 */
export async function runLoad(
  { home, script, senders, readers, watchers, messages, ms, random },
  done,
) {
  const pick = (/** @type {any[]} */ list) => list[Math.floor(random() * list.length)]
  const began = performance.now()
  /** @type {Map<string, Promise<void>>} What one session does, it does one after the other: else its messages had no order. */
  const busy = new Map()
  const inTurn = (/** @type {string} */ key, /** @type {() => Promise<void>} */ work) => {
    const next = (busy.get(key) ?? Promise.resolve())
      .then(work)
      .catch((error) => void done.failed.push(String(error)))
    busy.set(key, next)
  }
  for (let number = 0; number < messages; number += 1) {
    const wait = began + (number * ms) / messages - performance.now()
    if (wait > 0) await pause(wait)
    const from = pick(home.names)
    const to = pick(home.names.filter((name) => name !== from))
    const message = { from, to, body: makeBody(number, random), urgent: random() < URGENT }
    const byCommand = random() < BY_COMMAND
    const sender = pick(senders)
    inTurn(from, () =>
      byCommand ? sendByCommand(number, message) : sendByWorker(number, message, sender),
    )
    if (random() < READS)
      planRead(pick(home.names), pick(readers), random() < KILLED_READS ? random() * 80 : undefined)
    if (random() < WATCHER_KILLS)
      inTurn('watchers', () => watchers.killOne(Math.floor(random() * 1000), random() < 0.5))
  }
  await Promise.all(busy.values())

  /** @param {number} number @param {any} message @param {any} worker */
  async function sendByWorker(number, message, worker) {
    const answer = await worker.ask({ do: 'send', ...message })
    if (answer?.warning !== undefined || answer?.id === undefined)
      done.failed.push(`send ${number}: ${JSON.stringify(answer)}`)
    if (answer?.id !== undefined) note(number, message, answer.id)
  }

  /** @param {number} number @param {any} message */
  async function sendByCommand(number, { from, to, body, urgent }) {
    const argv = [
      script,
      'send',
      `@${to}`,
      '--as',
      from,
      '--kind',
      'note',
      '--json',
      ...(urgent ? ['--urgent'] : []),
      body,
    ]
    const { code, stdout, stderr, ms: took } = await runProgram(argv, { env: home.env })
    done.commands += 1
    done.commandMs.push({ at: (performance.now() - began) / ms, ms: took })
    if (code === 0 && stderr === '') note(number, { from, to, urgent }, JSON.parse(stdout).id)
    else done.failed.push(`send ${number} ended with ${code}: ${stderr}`)
  }

  /** @param {number} number @param {any} message @param {string} id */
  function note(number, { from, to, urgent }, id) {
    done.sent.set(number, { id, from, to, urgent })
  }

  /** @param {string} name @param {any} reader @param {number | undefined} killAfterMs */
  function planRead(name, reader, killAfterMs) {
    done.reads += 1
    if (random() < BY_COMMAND) inTurn(`read ${name}`, () => readByCommand(name, killAfterMs))
    // A worker that is killed takes along what it was asked besides.
    else inTurn(`reader ${readers.indexOf(reader)}`, () => readByWorker(name, reader, killAfterMs))
  }

  /** @param {string} name @param {any} worker @param {number | undefined} killAfterMs */
  async function readByWorker(name, worker, killAfterMs) {
    const from = Date.now()
    const asked = worker.ask({ do: 'read', name })
    if (killAfterMs !== undefined) {
      // A read takes a few milliseconds.
      await pause(killAfterMs / 16)
      await worker.kill()
    }
    const answer = await asked
    if (answer) noteShown(done, answer)
    else if (killAfterMs !== undefined) done.killed.push({ name, from, to: Date.now() })
    else done.failed.push(`read of @${name}: no answer`)
  }

  /** @param {string} name @param {number | undefined} killAfterMs */
  async function readByCommand(name, killAfterMs) {
    const from = Date.now()
    const argv = [script, 'inbox', name, '--json']
    const { code, stdout, stderr } = await runProgram(argv, {
      env: home.env,
      ...(killAfterMs === undefined ? {} : { killAfterMs }),
    })
    done.commands += 1
    if (code === 0) noteShown(done, JSON.parse(stdout))
    else if (code === null && killAfterMs !== undefined)
      done.killed.push({ name, from, to: Date.now() })
    else done.failed.push(`read of @${name} ended with ${code}: ${stderr}`)
  }
}

/**
 * Takes note of what a read has shown to its end.
 * @param {Done} done @param {{ messages: { id: string, body: string }[], bad: unknown[] }} inbox
 */
export function noteShown(done, { messages, bad }) {
  for (const { id, body } of messages) {
    done.shown.set(id, (done.shown.get(id) ?? 0) + 1)
    if (numberIn(body) === undefined) done.torn.push(id)
  }
  if (bad.length > 0) done.torn.push(JSON.stringify(bad))
}
