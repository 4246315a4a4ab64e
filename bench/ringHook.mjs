import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { runOnce, startAgent } from './process.mjs'
import { linkedAt, pauseAtRandom, sendOne, told } from './ringing.mjs'

const HOST = fileURLToPath(new URL('./host.mjs', import.meta.url))

/**
 * The native doorbell, in milliseconds, with a real `send` and a process that stands for the host: `told` from the message standing in the inbox to the host's hearing
 * of it, `ring` to the end of the hook, which wakes the agent. Beside them `event`, from one process's writing of a file to another's hearing of it, and
 * `floor`, to the end of a bare node that is started then.
 * @param {{ directory: string, program: import('./group.mjs').Program, rounds: number }} plan
 * @returns {Promise<{ told: number[], ring: number[], event: number[], floor: number[] }>}
 */
export async function ringHook({ directory, program, rounds }) {
  const { script, hook } = program
  const env = { ...program.env, AGENT_CHAT_HOME: join(directory, 'home') }
  const sender = await startAgent(script, 'backend', env)
  const host = spawn(process.execPath, [HOST, script, hook, directory], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: host.stdout })[Symbol.asyncIterator]()
  try {
    await told(lines, 'ready')
    const times = { told: num(), ring: num(), event: num(), floor: num() }
    for (let round = 0; round <= rounds; round += 1) {
      const event = await touchOnce(join(directory, 'event'), lines, [])
      const floor = await touchOnce(join(directory, 'floor'), lines, ['ended-0'])
      const ring = await ringOnce({ script, env }, lines)
      if (round === 0) continue
      times.event.push(event)
      times.floor.push(floor)
      times.told.push(ring.told)
      times.ring.push(ring.ring)
    }
    return times
  } finally {
    host.stdin.end()
    sender.kill()
  }
}

/**
 * @param {string} directory
 * @param {AsyncIterator<string>} lines
 * @param {string[]} then what is told of after the event
 */
async function touchOnce(directory, lines, then) {
  await pauseAtRandom()
  const start = process.hrtime.bigint()
  closeSync(openSync(join(directory, 'ring'), 'w'))
  let end = await told(lines, 'event')
  for (const what of then) end = await told(lines, what)
  return Number(end - start) / 1e6
}

/**
 * @param {import('./ringing.mjs').Ringing} home
 * @param {AsyncIterator<string>} lines
 */
async function ringOnce(home, lines) {
  await pauseAtRandom()
  const linked = linkedAt(home.env, sendOne(home))
  const heard = await told(lines, 'event')
  const ended = await told(lines, 'ended-2')
  runOnce([home.script, 'inbox'], { env: { ...home.env, AGENT_CHAT_NAME: 'frontend' } })
  return { told: Number(heard - linked) / 1e6, ring: Number(ended - linked) / 1e6 }
}

/** @returns {number[]} */
function num() {
  return []
}
