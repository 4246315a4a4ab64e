import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { bash } from '../delivery/model.ts'
import { finished, idle } from '../gate/session.ts'
import { post } from '../gate/socket.ts'
import type { Headless } from '../harness/headless.ts'
import { eventually } from '../harness/poll.ts'
import { type Row, SIZES } from './row.ts'
import { CLAUDE_FLAGS, isMade, type Outcome, type Stage, stateOf } from './stage.ts'

/** Origins that there are without a screen: nobody can be asked, and a change is refused. */
export const SCREENLESS: readonly Row[] = [
  {
    name: 'claude -p with its prompt as an argument',
    whose: 'you',
    after: ['none'],
    noScreen: true,
    play: async (stage) => printed(stage, [`Please do ${stage.change.key}`]),
  },
  {
    name: 'claude -p with its prompt on standard input',
    whose: 'you',
    sizes: SIZES,
    after: ['none'],
    noScreen: true,
    play: async (stage) => printed(stage, [], `Please do ${stage.change.key} ${stage.more}`),
  },
  {
    name: 'claude -p --resume with a prompt',
    whose: 'you',
    after: ['open', 'closed'],
    noScreen: true,
    play: async (stage) => {
      const client = await streamed(stage)
      const { session_id: id } = await stateOf(stage)
      await client.end()
      await stage.recorder.begin()
      return printed(stage, ['--resume', id, `Please do ${stage.change.key}`])
    },
  },
  {
    name: 'claude -p with stream-json: its own program',
    whose: 'you',
    sizes: SIZES,
    after: ['none', 'open', 'closed'],
    noScreen: true,
    play: async (stage) => {
      const client = await streamed(stage)
      client.prompt(`Please do ${stage.change.key} ${stage.more}`)
      return answered(stage, client)
    },
  },
  {
    name: 'claude -p with stream-json: another program',
    whose: 'nobody',
    sizes: SIZES,
    noScreen: true,
    play: async (stage) => {
      const client = await streamed(stage)
      await post(stage.scene.world, `Please do ${stage.change.key} ${stage.more}`)
      return answered(stage, client)
    },
  },
  {
    name: 'claude -p with stream-json: another program, as the end of a task',
    whose: 'nobody',
    sizes: SIZES,
    noScreen: true,
    play: async (stage) => {
      const client = await streamed(stage)
      stage.scene.agents.habit('frontend', (words) =>
        words.includes(stage.change.key) ? stage.touch : undefined,
      )
      await post(stage.scene.world, `<task-notification> do ${stage.change.key} ${stage.more}`)
      return answered(stage, client)
    },
  },
  {
    name: 'claude --bg with a prompt',
    whose: 'you',
    after: ['none'],
    noScreen: true,
    play: async (stage) => {
      await joined(stage)
      const { out } = await run(stage, ['--bg', `Please do ${stage.change.key}`])
      return judged(stage, () => out)
    },
  },
]

async function joined({ scene, recorder }: Stage): Promise<void> {
  await scene.chat(['join', 'frontend', '--no-watch'])
  await recorder.begin()
}

/** `claude -p`, to its end. */
async function printed(stage: Stage, args: string[], input = ''): Promise<Outcome> {
  if (stage.before === 'none') await joined(stage)
  const { code, out } = await run(stage, ['-p', ...args], input)
  if (!stage.change.begun) throw new Error(`the model was not asked; ended with ${code}: ${out}`)
  return isMade(stage) ? 'open' : 'closed'
}

/** A client without a screen, after the turns that the cell asks for. */
async function streamed(stage: Stage): Promise<Headless> {
  const { scene, before, recorder } = stage
  await scene.chat(['join', 'frontend', '--no-watch'])
  const client = await scene.world.startHeadless({ name: 'frontend', args: flags(stage) })
  await recorder.begin()
  if (before === 'none') return client
  const plan = scene.agents.plan(bash('touch of-mine'))
  client.prompt(`Please do ${plan.key}`)
  await finished(plan)
  await idle(scene.world, 'frontend')
  if (!scene.made('of-mine')) throw new Error('your own turn was closed')
  if (before === 'closed') await scene.obeyed(scene.agents.plan())
  await recorder.begin()
  return client
}

async function answered(stage: Stage, client: Headless): Promise<Outcome> {
  const found = await judged(stage, () => JSON.stringify(client.messages.slice(-5)))
  await client.end()
  return found
}

/** What came of the change: without a screen, the state tells that you were to be asked. */
async function judged(stage: Stage, state: () => string): Promise<Outcome> {
  return eventually(
    'the change, or a refusal',
    async () => {
      if (isMade(stage)) return 'open'
      const asked = (await stateOf(stage).catch(() => undefined))?.turn?.asked ?? []
      return stage.change.done || asked.length > 0 ? 'closed' : undefined
    },
    { state },
  )
}

function flags({ scene, recorder }: Stage): string[] {
  const plugins = [dirname(dirname(scene.main)), ...recorder.plugins]
  return [...plugins.flatMap((folder) => ['--plugin-dir', folder]), ...CLAUDE_FLAGS]
}

/** Runs the client as `frontend`; its exit code, and all that it printed. */
function run(
  stage: Stage,
  args: string[],
  input = '',
): Promise<{ code: number | null; out: string }> {
  const { world } = stage.scene
  const child = spawn(world.claude, [...args, ...flags(stage)], {
    env: { ...world.env, AGENT_CHAT_NAME: 'frontend' },
    cwd: world.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: 120_000,
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString('utf8')
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve({ code, out }))
  })
}
