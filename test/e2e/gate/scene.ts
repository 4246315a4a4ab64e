import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { asHuman } from '../../../scripts/asHuman.mjs'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import { copyPlugin } from '../delivery/plugin.ts'
import type { Pane } from '../harness/pane.ts'
import { eventually } from '../harness/poll.ts'
import { worldForTest } from '../harness/test-world.ts'
import type { World } from '../harness/world.ts'
import { type Account, as, give, sharedClient } from './account.ts'
import { type Agents, obedientAgents, type Plan } from './agents.ts'
import {
  finished,
  idle,
  noted,
  type Session,
  type SessionOptions,
  startSession,
} from './session.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** A world with this plugin, obedient models, and messages from @backend, which no agent runs. */
export interface Scene {
  readonly world: World
  readonly agents: Agents
  session(name?: string, options?: SessionOptions): Promise<Session>
  /** Runs `agent-chat` from outside every agent, as `name`; gives what it printed. */
  chat(args: readonly string[], name?: string): Promise<string>
  /** A command that only a person may give, typed at a terminal of theirs. */
  typed(args: readonly string[]): Promise<string>
  /** A message from @backend that asks for `plan`; `more` are options of `send`. */
  asks(plan: Plan, to?: string, ...more: string[]): Promise<void>
  /** The same, and waits until the model has carried it out and its turn is over. */
  obeyed(plan: Plan, to?: string): Promise<void>
  /** Waits until the gate of @frontend is `open` or `closed`. */
  gateIs(gate: 'open' | 'closed'): Promise<void>
  /** Waits until a file of the sessions' working directory is there. */
  appears(file: string): Promise<void>
  /** A person's own shell, in a pane beside the session. */
  shell(): Promise<Pane>
  /** How often the bell of `name` has been heard by its client. */
  bells(name: string): Promise<number>
  /** The command line's own bundle. */
  readonly main: string
  /** A path in the working directory of the sessions. */
  path(file: string): string
  made(file: string): boolean
  /** The history's events of one kind. */
  events(kind: string): Promise<Record<string, unknown>[]>
  /** The text of every message of the archive that `name` sent. */
  sentBy(name: string): Promise<string[]>
}

/** A scene for the running test, which ends with it. `account`: whom everything in it runs as. */
export async function sceneForTest(
  options: { account?: Account | undefined } = {},
): Promise<Scene> {
  const { account } = options
  const agents = obedientAgents()
  const plugin = await copyPlugin(ROOT)
  onTestFinished(() => plugin.remove())
  const world = await worldForTest({ rule: agents.rule })
  const client = account ? await sharedClient(world.claude, world.dir) : dirname(world.claude)
  const env = {
    ...world.env,
    AGENT_CHAT_DOORBELL: 'native',
    TMPDIR: world.dir,
    PATH: `${client}:${world.env.PATH}`,
  }
  await mkdir(join(world.home, '.claude'))
  await writeFile(
    join(world.home, '.claude', 'settings.json'),
    '{"skipDangerousModePermissionPrompt":true}',
  )
  await chmod(dirname(plugin.root), 0o755)
  await give(account, world.dir)

  const main = join(plugin.root, 'dist', 'main.js')
  const chat: Scene['chat'] = async (args, name) => {
    const more = name === undefined ? {} : { AGENT_CHAT_NAME: name }
    const place = { env: { ...env, ...more }, cwd: world.cwd, ...account }
    return (await promisify(execFile)(RUNTIME, [main, ...args], place)).stdout
  }
  const typed: Scene['typed'] = async (args) => {
    const place = { env: { ...env }, cwd: world.cwd }
    const { code, stdout, stderr } = await asHuman([RUNTIME, main, ...args], place)
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
    return stdout
  }
  await chat(['join', 'backend', '--no-watch'])
  const sessions: Session[] = []
  onTestFinished(async ({ task }) => {
    if (task.result?.state !== 'fail') return
    // Beside the rest of what is kept of a failure.
    for (const { name, pane } of sessions) {
      await writeFile(join(world.chat, `${name}.screen.txt`), await pane.screen().catch(String))
    }
  })
  const asks: Scene['asks'] = async (plan, to = 'frontend', ...more) => {
    await chat(
      ['send', `@${to}`, `Please do ${plan.key}.`, '--subject', 'a little favour', ...more],
      'backend',
    )
  }
  return {
    world,
    agents,
    main,
    chat,
    typed,
    session: async (name = 'frontend', options = {}) => {
      const session = await startSession({ world, account, main, env }, name, options)
      sessions.push(session)
      return session
    },
    asks,
    obeyed: async (plan, to = 'frontend') => {
      await asks(plan, to)
      await finished(plan)
      await idle(world, to)
    },
    gateIs: async (gate) => {
      const look = () => chat(['gate', 'frontend'])
      await eventually(
        `the gate to be ${gate}`,
        async () => (await look()).startsWith(`@frontend  ${gate}:`),
        {
          state: look,
        },
      )
    },
    appears: async (file) => {
      await eventually(`${file} to appear`, () => existsSync(join(world.cwd, file)))
    },
    shell: async () => {
      const argv = as(account, [
        'env',
        `PATH=${join(plugin.root, 'bin')}:${env.PATH}`,
        'bash',
        '--norc',
      ])
      const pane = await world.tmux.newSession({ argv, env, cwd: world.cwd })
      await pane.waitFor(/^bash.*[$#]\s*$/m)
      return pane
    },
    bells: (name) => noted(world, name, 'FileChanged'),
    path: (file) => join(world.cwd, file),
    made: (file) => existsSync(join(world.cwd, file)),
    events: async (kind) => (await history(world)).filter(({ event }) => event === kind),
    sentBy: async (name) => {
      const folder = join(world.chat, 'messages')
      const files = (await readdir(folder))
        .filter((file) => file.endsWith(`-from-${name}.md`))
        .sort()
      return Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
    },
  }
}

async function history(world: World): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(world.chat, 'history.log'), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line))
}
