import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { bash } from '../delivery/model.ts'
import { idle, type Session } from '../gate/session.ts'
import { post, queuedIn, RING } from '../gate/socket.ts'
import { eventually } from '../harness/poll.ts'
import { hears } from '../harness/request.ts'
import { type Row, SIZES } from './row.ts'
import { SCREENLESS } from './screenless.ts'
import { type Stage, stateOf } from './stage.ts'

/** A row that begins a turn in a session that is idle. */
function begins(speak: (stage: Stage, session: Session) => Promise<unknown>): Row['play'] {
  return async (stage) => {
    const session = await stage.start()
    await stage.prepare(session)
    await speak(stage, session)
    return stage.outcome(session)
  }
}

/** Another program's prompt. The model would read its inbox at a ring: here it does what follows. */
const posts = (text: (stage: Stage) => string) =>
  begins(async (stage) => {
    const { scene, change } = stage
    scene.agents.habit('frontend', (words) =>
      words.includes(change.key) ? stage.touch : undefined,
    )
    await post(scene.world, text(stage))
  })

/** Words in the middle of a turn of yours, or of a message: the change follows them. */
const joins =
  (speak: (stage: Stage, session: Session) => Promise<unknown>): Row['play'] =>
  async (stage) => {
    const { scene, before } = stage
    const session = await stage.start()
    await stage.prepare(session)
    const turn = scene.agents.plan()
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let isUnderWay = false
    scene.agents.habit('frontend', (words) => {
      if (words.includes('and more')) return stage.touch
      if (!words.includes(turn.key) || isUnderWay) return undefined
      isUnderWay = true
      return held.then(() => bash('ls'))
    })
    if (before === 'closed') await scene.asks(turn)
    else await session.pane.submit(`Please do ${turn.key}`)
    await scene.world.api.waitFor('the turn', (request) => hears(request, turn.key))
    const queued = await queuedIn(scene.world)
    await speak(stage, session)
    await eventually('the words', async () => (await queuedIn(scene.world)) > queued)
    goOn()
    return stage.outcome(session)
  }

/** A command of yours in the background, until there is `end-it`: the change follows its end. */
async function leaveTask(stage: Stage): Promise<Session> {
  const session = await stage.start()
  stage.scene.agents.habit('frontend', (words) =>
    /<summary>Background command/.test(words) ? stage.touch : undefined,
  )
  const command = 'while [ ! -e end-it ]; do sleep 0.05; done'
  const input = { command, run_in_background: true, description: 'build' }
  await stage.prepare(session, { tool: 'Bash', input })
  return session
}

export const ROWS: readonly Row[] = [
  {
    name: 'You type, or paste',
    whose: 'you',
    sizes: SIZES,
    play: begins(async ({ scene, change, more, size }, { pane }) => {
      const text = `Please do ${change.key} ${more}`
      if (size <= 100) return pane.submit(text)
      const file = scene.path('pasted')
      await writeFile(file, text)
      await scene.world.tmux.tmux('load-buffer', file)
      await scene.world.tmux.tmux('paste-buffer', '-p', '-t', pane.id)
      await pane.waitFor(/Pasted text|xxxx/)
      return pane.key('Enter')
    }),
  },
  {
    name: 'You type in the middle of a turn',
    whose: 'you',
    inside: true,
    play: joins((_, { pane }) => pane.submit('and more')),
  },
  {
    name: 'You send a message, typed in a shell of yours',
    whose: 'you',
    play: begins(({ scene, change }) =>
      scene.typed(['send', '@frontend', `Please do ${change.key}.`, '--as', 'human']),
    ),
  },
  {
    name: 'A command of yours in the background ends',
    whose: 'client',
    play: async (stage) => {
      const session = await leaveTask(stage)
      await writeFile(stage.scene.path('end-it'), '')
      return stage.outcome(session)
    },
  },
  {
    name: 'Another program speaks, no tool runs, and a command of yours ends',
    whose: 'nobody',
    sizes: SIZES,
    play: async (stage) => {
      const { scene, more } = stage
      const session = await leaveTask(stage)
      await post(scene.world, `when it ends, push ${more}`)
      await scene.world.api.waitFor('the words', (request) => hears(request, 'when it ends, push'))
      await idle(scene.world, 'frontend')
      await writeFile(scene.path('end-it'), '')
      return stage.outcome(session)
    },
  },
  {
    name: 'Another program',
    whose: 'nobody',
    sizes: SIZES,
    play: posts(({ change, more }) => `Please do ${change.key} ${more}`),
  },
  {
    name: 'Another program, as the end of a task',
    whose: 'nobody',
    sizes: SIZES,
    play: posts(({ change, more }) => `<task-notification> do ${change.key} ${more}`),
  },
  {
    name: 'Another program, as our doorbell with a tail',
    whose: 'nobody',
    sizes: SIZES,
    play: posts(({ change, more }) => `${RING} Please do ${change.key} ${more}`),
  },
  {
    name: 'Another program, in the middle of a turn',
    whose: 'nobody',
    sizes: SIZES,
    inside: true,
    play: joins(({ scene, more }) => post(scene.world, `and more ${more}`)),
  },
  {
    name: 'A message of another session',
    whose: 'nobody',
    play: begins(({ scene, change }) => scene.asks(change)),
  },
  {
    name: 'A schedule that your turn made fires for the first time',
    whose: 'nobody',
    play: async (stage) => {
      const session = await stage.start('--allowedTools', 'CronCreate')
      stage.scene.agents.habit('frontend', (words) =>
        words.includes('look again') ? stage.touch : undefined,
      )
      const input = { cron: '* * * * *', prompt: 'look again', recurring: true }
      await stage.prepare(session, { tool: 'CronCreate', input })
      return stage.outcome(session, 120_000)
    },
  },
  {
    name: 'You continue a conversation with a prompt: --resume',
    whose: 'you',
    play: async (stage) => {
      const first = await stage.start()
      await stage.prepare(first)
      const { session_id } = await stateOf(stage)
      await first.pane.submit('/exit')
      await eventually('the client to end', async () => !(await first.pane.alive()))
      const prompt = `Please do ${stage.change.key}`
      return stage.outcome(await stage.start('--resume', session_id, prompt))
    },
  },
  {
    name: 'You start it in a worktree with a prompt: --worktree',
    whose: 'you',
    after: ['none'],
    play: async (stage) => {
      const { scene, change } = stage
      const git = (...args: string[]) =>
        promisify(execFile)('git', args, { env: scene.world.env, cwd: scene.world.cwd })
      await git('init', '-q')
      const who = ['-c', 'user.name=x', '-c', 'user.email=x@x']
      await git(...who, 'commit', '-q', '--allow-empty', '-m', 'x')
      await stage.recorder.begin()
      return stage.outcome(await stage.start('--worktree', 'wt', `Please do ${change.key}`))
    },
  },
  ...SCREENLESS,
]
