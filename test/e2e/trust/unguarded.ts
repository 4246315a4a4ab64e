import { rmSync, symlinkSync } from 'node:fs'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runCli } from '../../../src/testing/cli.ts'
import { bash } from '../delivery/model.ts'
import { type Scene, sceneForTest } from '../gate/scene.ts'
import type { Session, SessionOptions } from '../gate/session.ts'
import { post } from '../gate/socket.ts'
import { eventually } from '../harness/poll.ts'
import type { End } from './page.ts'

/** A way in which guardrails do not run, or are told not to, and what may come of a message then. */
export interface Unguarded {
  name: string
  /** What a message may come to. */
  ends: readonly End[]
  /** A prompt of another program, in place of a message. */
  foreign?: true
  /** What is done before the client starts. */
  before?(scene: Scene): Promise<SessionOptions | undefined>
  /** What is done in a session that runs, after a turn of yours. */
  later?(scene: Scene): Promise<void>
}

const ASKED: readonly End[] = ['asked']
const WAITS: readonly End[] = ['not woken']
const EITHER: readonly End[] = ['asked', 'not woken']

export const UNGUARDED: readonly Unguarded[] = [
  ...(
    [
      ['AGENT_CHAT_GATE=off', { AGENT_CHAT_GATE: 'off' }, ASKED],
      ['AGENT_CHAT_GATE=warn', { AGENT_CHAT_GATE: 'warn' }, ASKED],
      ['AGENT_CHAT_RUNTIME=native', { AGENT_CHAT_RUNTIME: 'native' }, EITHER],
      ['AGENT_CHAT_HOME=/elsewhere', { AGENT_CHAT_HOME: '/elsewhere' }, EITHER],
    ] as const
  ).map(([what, env, ends]) => ({
    ...{ name: `A project sets ${what}`, ends },
    before: async (scene: Scene) => void (await project(scene, { env })),
  })),
  {
    name: 'A project sets NODE_OPTIONS with a program that ends our hooks',
    ends: ASKED,
    before: async (scene) => {
      const ends = join(scene.world.cwd, 'ends.cjs')
      await project(scene, { env: { NODE_OPTIONS: `--require ${ends}` } })
      await writeFile(ends, "if (process.argv[1]?.endsWith('hook.cjs')) process.exit(0)\n")
      return undefined
    },
  },
  {
    name: 'A project keeps no record, and another program prompts',
    ends: ASKED,
    foreign: true,
    before: async (scene) =>
      void (await project(scene, { env: { CLAUDE_CODE_SKIP_PROMPT_HISTORY: '1' } })),
  },
  {
    name: 'A project sets disableAllHooks while the session runs',
    ends: WAITS,
    later: (scene) => project(scene, { disableAllHooks: true }),
  },
  {
    name: 'A project takes the plugin out while the session runs',
    ends: EITHER,
    later: (scene) => project(scene, { enabledPlugins: { 'agent-chat@agent-chat': false } }),
  },
  {
    name: 'A project sets AGENT_CHAT_GATE=off while the session runs',
    ends: ASKED,
    later: (scene) => project(scene, { env: { AGENT_CHAT_GATE: 'off' } }),
  },
  {
    name: 'A version manager takes Node away while the session runs',
    ends: EITHER,
    before: async ({ world }) => {
      const own = join(world.dir, 'without-node')
      await mkdir(own)
      for (const folder of ['/bin', '/usr/bin'])
        for (const file of await readdir(folder)) {
          rmSync(join(own, file), { force: true })
          if (!/^node/.test(file)) symlinkSync(join(folder, file), join(own, file))
        }
      const node = join(world.dir, 'v20')
      await mkdir(node)
      symlinkSync(process.execPath, join(node, 'node'))
      return { env: { PATH: `${node}:${dirname(world.claude)}:${own}` } }
    },
    later: ({ world }) => rename(join(world.dir, 'v20'), join(world.dir, 'v22')),
  },
  {
    name: 'The plugin’s folder is moved while the session runs',
    ends: EITHER,
    later: async ({ main }) => {
      const root = dirname(dirname(main))
      await rename(root, `${root}-moved`)
    },
  },
]

async function project({ world }: Scene, settings: object): Promise<void> {
  await mkdir(join(world.cwd, '.claude'), { recursive: true })
  await writeFile(join(world.cwd, '.claude', 'settings.json'), JSON.stringify(settings))
}

/** Plays one; what became of the change that a message, or another program, asked for. */
export async function playUnguarded(row: Unguarded): Promise<End> {
  const scene = await sceneForTest()
  const given = (await row.before?.(scene)) ?? {}
  // Keys wake it where no hook does.
  const env = { AGENT_CHAT_DOORBELL: 'tmux', AGENT_CHAT_ROOM: 'off', ...given.env }
  const session = await scene.session('frontend', { ...given, mode: 'acceptEdits', env })
  if (row.later) {
    await session.prompted(scene.agents.plan(bash('touch of-mine')))
    await row.later(scene)
  }
  const wish = scene.agents.plan(bash('touch made-by-it'), bash('touch made-after-it'))
  const id = row.foreign ? undefined : await messageFor(wish.key, scene)
  if (row.foreign) await post(scene.world, `Please do ${wish.key}.`)
  return endOf(scene, session, id, () => wish.done)
}

/** Runs the built program: the plugin's own may have been moved. */
async function chat({ world }: Scene, ...args: string[]): Promise<string> {
  const run = await runCli(args, { home: world.chat, env: { AGENT_CHAT_NAME: 'backend' } })
  return run.stdout
}

async function messageFor(key: string, scene: Scene): Promise<string> {
  const sent = await chat(scene, 'send', '@frontend', `Please do ${key}.`)
  const [, id] = /sent (\w+)/.exec(sent) ?? []
  if (id === undefined) throw new Error(`no id in: ${sent}`)
  return id
}

function endOf(
  scene: Scene,
  session: Session,
  id: string | undefined,
  isDone: () => boolean,
): Promise<End> {
  const shown = () => (id ? chat(scene, 'show', id) : Promise.resolve(''))
  const look = async (): Promise<End | undefined> => {
    if (scene.made('made-by-it')) return 'ran'
    if (/Do you want to/.test(await session.pane.screen())) return 'asked'
    if (isDone()) return 'asked'
    return /not delivered yet: .*hook/.test(await shown()) ? 'not woken' : undefined
  }
  return eventually('the change, a question, or why it waits', look, {
    timeoutMs: 90_000,
    state: async () => `${await session.pane.screen()}\n${await shown()}`,
  })
}
