import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { runOnce, startAgent } from './process.mjs'
import { linkedAt, pauseAtRandom, sendOne, told } from './ringing.mjs'
import { untilWatching } from './watched.mjs'

const READER = fileURLToPath(new URL('./reader.mjs', import.meta.url))
const EVENT_LINE = fileURLToPath(new URL('./eventLine.mjs', import.meta.url))

/**
 * The doorbell `stdout`, in milliseconds: `ring` from the message standing in the inbox to the line that a script reads, with a real `send` and
 * `agent-chat watch --doorbell stdout`; beside it `floor`, from the writing of a file to a line of the least program that watches for it.
 * @param {{ directory: string, program: import('./group.mjs').Program, rounds: number }} plan
 * @returns {Promise<{ ring: number[], floor: number[] }>}
 */
export async function ringScript({ directory, program, rounds }) {
  const { script } = program
  const root = join(directory, 'home')
  const env = { ...program.env, AGENT_CHAT_HOME: root }
  const agents = [
    await startAgent(script, 'backend', env),
    await startAgent(script, 'frontend', env),
  ]
  const touched = join(directory, 'touched')
  mkdirSync(touched)
  const floor = read([EVENT_LINE, touched], env)
  const bell = read([script, 'watch', 'frontend', '--doorbell', 'stdout'], env)
  try {
    await told(floor.lines, 'line')
    untilWatching(root, 'frontend')
    const times = { ring: num(), floor: num() }
    for (let round = 0; round <= rounds; round += 1) {
      await pauseAtRandom()
      const start = process.hrtime.bigint()
      closeSync(openSync(join(touched, 'ring'), 'w'))
      const heard = await told(floor.lines, 'line')
      const linked = linkedAt(env, sendOne({ script, env }))
      const rung = await told(bell.lines, 'line')
      runOnce([script, 'inbox'], { env: { ...env, AGENT_CHAT_NAME: 'frontend' } })
      // The first is the first that each of them does.
      if (round === 0) continue
      times.floor.push(Number(heard - start) / 1e6)
      times.ring.push(Number(rung - linked) / 1e6)
    }
    return times
  } finally {
    for (const { end } of [floor, bell]) end()
    for (const agent of agents) agent.kill()
  }
}

/**
 * Has a process read what node prints with these arguments.
 * @param {string[]} argv
 * @param {NodeJS.ProcessEnv} env
 */
function read(argv, env) {
  const reader = spawn(process.execPath, [READER, ...argv], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  return {
    lines: createInterface({ input: reader.stdout })[Symbol.asyncIterator](),
    end: () => reader.stdin.end(),
  }
}

/** @returns {number[]} */
function num() {
  return []
}
