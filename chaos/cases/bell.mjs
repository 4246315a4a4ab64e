import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { start } from '../process.mjs'
import { stepsOf } from '../steps.mjs'

/** What the hook says to its agent. */
const RING = 'New message from @backend. Check inbox.\n'

/** An idle agent that was woken would have begun its turn by then. In milliseconds. */
const LATER_MS = 20_000

/**
 * The hook of the native doorbell is killed while it rings. Its end is what wakes the agent, so no step can stand behind that.
 * @returns {import('../lab.mjs').Case[]}
 */
export function bellCases() {
  const steps = stepsOf().get('bell') ?? []
  return [
    {
      name: 'kill at each step: native ring',
      promise:
        "the next bell rings; where the ring was noted already, the user's next prompt tells",
      run: async (lab, counts) => {
        for (const step of [...steps, ...steps]) {
          counts.runs += 1
          await ringOnce(lab, counts, step)
        }
      },
    },
  ]
}

/**
 * @param {import('../lab.mjs').Lab} lab
 * @param {import('../lab.mjs').Counts} counts
 * @param {string} step
 */
async function ringOnce(lab, counts, step) {
  const world = lab.world()
  await world.open()
  const agent = spawn('sleep', ['600'], { stdio: 'ignore' })
  const own = { AGENT_CHAT_NAME: 'frontend', CLAUDE_PID: String(agent.pid) }
  const script = join(dirname(lab.script), 'hook.js')
  /** @param {string} word @param {object} payload @param {NodeJS.ProcessEnv} [env] */
  const hook = async (word, payload, env = {}) =>
    start([script, word], { env: { ...world.env, ...own, ...env }, input: JSON.stringify(payload) })
      .ended
  const bell = { file_path: join(world.home, 'bells/frontend/ring') }
  try {
    await hook('session-start', { source: 'startup', session_id: 'one' })
    await world.fine('before', world.send())
    const { signal } = await hook('bell', bell, { AGENT_CHAT_FAULT: step })
    if (signal !== 'SIGKILL') counts.wrong.push(`the hook was not killed at ${step}`)
    const next = await hook('bell', bell)
    const isRung = next.code === 2 && next.stderr === RING
    // Who was woken begins a turn, and the prompt after that tells nothing.
    if (isRung)
      for (const word of ['user-prompt-submit', 'stop'])
        await hook(word, { prompt: notificationOf(RING) })
    const told = await hook('user-prompt-submit', { prompt: 'hello' }, world.clockAhead(LATER_MS))
    const heard = [isRung, told.stdout.includes('1 message is unread from @backend')].filter(
      Boolean,
    ).length
    counts.stuck += heard === 0 ? 1 : 0
    counts.duplicated += heard > 1 ? 1 : 0
    await world.fine(`killed at ${step}`, world.read())
  } finally {
    agent.kill('SIGKILL')
  }
  world.clockAhead(0)
  await world.goOn(`killed at ${step}`)
  await lab.finish(world, counts, `killed at ${step}`)
}

/** How Claude Code begins a turn with what a hook said. @param {string} text */
function notificationOf(text) {
  return `<task-notification>\nfrom command "FileChanged": ${text}</task-notification>`
}
