import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeBody } from './bodies.mjs'
import { noteShown } from './load.mjs'
import { look } from './processes.mjs'

/** So many looks in a run, a minute apart in one of 30 minutes. */
const LOOKS = 30
/** A reader that shows something at each of so many looks shows the same again, which is judged. */
const MOST_LOOKS = 10

/**
 * Runs the load, and looks at what runs beside it at even times.
 * @param {number} ms @param {any} what @param {() => Promise<void>} load
 */
export async function sampled(ms, { home, watchers, senders, done }, load) {
  const samples = []
  let over = false
  const running = load().finally(() => {
    over = true
  })
  const began = performance.now()
  for (let at = 1; at <= LOOKS && !over; at += 1) {
    await Promise.race([pause(began + (at * ms) / LOOKS - performance.now()), running])
    const [heap, senderHeap] = await Promise.all([watchers.heap(), senders[0].ask({ do: 'heap' })])
    const { alive, alone, files, mb, cpu } = watchers.sample()
    const held = look(senders[0].pid())
    samples.push({
      files: files / alone,
      mb: mb / alone,
      heap,
      cpu,
      senderFiles: held?.files ?? 0,
      senderMb: held?.mb ?? 0,
      senderHeap: (senderHeap?.bytes ?? 0) / 2 ** 20,
    })
    const minutes = ((performance.now() - began) / 60_000).toFixed(1)
    const unread = home.names.reduce(
      (/** @type {number} */ sum, /** @type {string} */ name) =>
        sum + unreadIn(join(home.root, 'inbox', name)),
      0,
    )
    console.log(
      `${minutes.padStart(5)} min: ${done.sent.size} sent, ${done.shown.size} seen read, ${unread} unread; ${done.reads} reads, ${done.killed.length} killed; ` +
        `${alive} watchers (${watchers.killed()} killed), each ${(files / alone).toFixed(1)} files, ${(mb / alone).toFixed(1)} MB, ${heap.toFixed(2)} of them in use; all ${cpu.toFixed(1)} s of CPU; ${watchers.rings()} rings`,
    )
  }
  await running
  return samples
}

/**
 * One more message to each session: every watcher, killed before or not, must ring for it. Gives what did not.
 * @param {import('./home.mjs').SoakHome} home @param {any} what
 */
export async function ringAll(home, { watchers, sender, done, number }) {
  const ids = new Map()
  for (const [at, to] of home.names.entries()) {
    const from = home.names[(at + 1) % home.names.length] ?? ''
    const { id } = await sender.ask({
      do: 'send',
      from,
      to,
      body: makeBody(number + at, () => 0.5),
      urgent: false,
    })
    done.sent.set(number + at, { id, from, to, urgent: false })
    ids.set(id, to)
  }
  const deadline = performance.now() + 40_000
  for (;;) {
    const rung = new Set(
      readFileSync(join(home.root, 'history.log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"rung"'))
        .slice(-500)
        .flatMap((line) => JSON.parse(line).ids),
    )
    const silent = [...ids].filter(([id]) => !rung.has(id))
    if (silent.length === 0) return []
    if (performance.now() > deadline || !watchers.alive())
      return silent.map(([id, to]) => `not rung: the last message to @${to}, ${id}`)
    await pause(200)
  }
}

/**
 * Every session looks into its inbox until a look shows nothing more: what is unread after that is stuck.
 * @param {import('./home.mjs').SoakHome} home @param {any} reader @param {import('./load.mjs').Done} done
 */
export async function readToTheEnd({ names }, reader, done) {
  for (const name of names) {
    for (let looks = 0, more = true; more && looks < MOST_LOOKS; looks += 1) {
      const answer = await reader.ask({ do: 'read', name })
      if (answer) noteShown(done, answer)
      else done.failed.push(`the last read of @${name}: no answer`)
      more = answer?.messages.length > 0
    }
  }
}

/** @param {string} inbox */
function unreadIn(inbox) {
  return readdirSync(inbox).filter((file) => file.endsWith('.md')).length
}
