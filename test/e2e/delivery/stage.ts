import { execFile } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import type { Rule } from '../harness/api.ts'
import type { Pane } from '../harness/pane.ts'
import { eventually } from '../harness/poll.ts'
import { carriers } from '../harness/processes.ts'
import type { ApiRequest } from '../harness/request.ts'
import { claudeWorld, type World } from '../harness/world.ts'
import { heardRings, sessionOf, shownIds } from './heard.ts'
import { standardRule } from './model.ts'
import type { PluginCopy } from './plugin.ts'

const run = promisify(execFile)

export type Choice = 'native' | 'tmux' | 'auto'

/** What the agents of a stage may run without asking. */
const ALLOWED = ['Bash(agent-chat:*)', 'Bash(sh wait.sh:*)', 'Bash(sh name.sh:*)']
export const CLAUDE_ARGS = ['--permission-mode', 'manual', '--allowedTools', ...ALLOWED]

export interface StageOptions {
  /** `settings.json` of the scratch HOME. */
  settings?: Readonly<Record<string, unknown>>
  env?: Readonly<Record<string, string>>
}

/** A world with this plugin in it: what a case happens in. */
export interface Stage {
  readonly world: World
  readonly plugin: PluginCopy
  readonly choice: Choice
  readonly env: Readonly<Record<string, string>>
  /** What the model does; a case may put its own before the standard one. */
  rule: Rule
  /** Runs `agent-chat` as a person would, from outside. */
  chat(
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    root?: string,
  ): Promise<string>
  /** Starts a session with the launcher, in the background, and waits until it is up. */
  launch(name?: string, args?: readonly string[], root?: string): Promise<Pane>
  /** The pane of a session, by the registry. */
  pane(name?: string): Promise<Pane>
  /** The process of a session's agent, by the registry. */
  agentPid(name?: string): Promise<number>
  registered(name?: string): Promise<boolean>
  state(name?: string): Promise<Record<string, unknown> | undefined>
  idle(name?: string): Promise<unknown>
  /**
   * Waits until the hook has ended that looks after the session's first seconds: from then on its
   * bell alone is heard.
   */
  settled(): Promise<unknown>
  /** Waits until the watcher says that it waits, for a reason that matches. */
  waits(why: RegExp, name?: string): Promise<unknown>
  /** The history's events of one kind. */
  events(kind: string): Promise<Record<string, unknown>[]>
  requests(name?: string): ApiRequest[]
  /** When the session's bell was last rung, in milliseconds since 1970. */
  bellAt(name?: string): Promise<number>
  /** Keeps the screen of every pane, the requests and the message home under `folder`. */
  save(folder: string): Promise<void>
  close(): Promise<void>
}

export async function createStage(
  plugin: PluginCopy,
  choice: Choice,
  options: StageOptions = {},
): Promise<Stage> {
  const world = await claudeWorld({ ...(options.env ? { env: options.env } : {}) })
  await mkdir(join(world.home, '.claude'), { recursive: true })
  await writeFile(
    join(world.home, '.claude', 'settings.json'),
    JSON.stringify(options.settings ?? {}),
  )
  // Runs until the file it is given exists: a long tool call that the test ends.
  await writeFile(
    join(world.cwd, 'wait.sh'),
    'touch "$1.started"\nwhile [ ! -e "$1" ]; do sleep 0.05; done\n',
  )
  await writeFile(join(world.cwd, 'name.sh'), 'echo "named <$AGENT_CHAT_NAME>"\n')
  // The first session gives the server the harness's configuration, also for what the launcher
  // opens on it.
  await world.tmux.newSession({ argv: ['sleep', '86400'] })
  await world.tmux.tmux('set', '-g', 'default-size', '130x40')
  const bell = choice === 'auto' ? {} : { AGENT_CHAT_DOORBELL: choice }
  const env = { ...world.env, ...bell, PATH: `${dirname(world.claude)}:${world.env.PATH}` }
  const stage: Stage = {
    ...{ world, plugin, choice, env, rule: standardRule },
    chat: async (args, more = {}, root = plugin.root) =>
      (
        await run(RUNTIME, [join(root, 'dist/main.js'), ...args], {
          env: { ...env, ...more },
          cwd: world.cwd,
        })
      ).stdout,
    launch: async (name = 'frontend', args = [], root = plugin.root) => {
      await stage.chat([name, '--detach', '--', ...CLAUDE_ARGS, ...args], {}, root)
      const pane = await stage.pane(name)
      await stage.idle(name)
      await pane.waitFor(/❯/)
      return pane
    },
    pane: async (name = 'frontend') => world.tmux.pane(String((await session(name))?.pane)),
    agentPid: async (name = 'frontend') => Number((await session(name))?.agent?.pid),
    registered: async (name = 'frontend') => (await session(name)) !== undefined,
    state: (name = 'frontend') => readJson(join(world.chat, 'state', `${name}.json`)),
    idle: (name = 'frontend') =>
      eventually(
        `@${name} to be idle`,
        async () => (await stage.state(name))?.activity === 'idle',
        {
          timeoutMs: 40_000,
          state: async () => JSON.stringify(await stage.state(name)),
        },
      ),
    settled: () =>
      eventually('the start to be over', async () => {
        const lines = await Promise.all(
          (await carriers('AGENT_CHAT_HOME', world.chat)).map(commandLine),
        )
        return !lines.some((line) => line.includes('start-ring'))
      }),
    waits: (why, name = 'frontend') => {
      const look = () => readJson(join(world.chat, 'state', `${name}.waiting.json`))
      const matches = async () => why.test(String((await look())?.why))
      return eventually(`the doorbell to wait: ${why}`, matches, {
        state: async () => JSON.stringify(await look()),
      })
    },
    events: async (kind) => (await history(world)).filter(({ event }) => event === kind),
    requests: (name) =>
      world.api.main().filter((request) => name === undefined || sessionOf(request) === name),
    bellAt: async (name = 'frontend') =>
      (await stat(join(world.chat, 'bells', name, 'ring'))).mtimeMs,
    save: async (folder) => {
      await world.save(folder)
      const panes = await world.tmux.tmux('list-panes', '-a', '-F', '#{pane_id}')
      for (const id of panes.trim().split('\n')) {
        await writeFile(join(folder, `pane-${id.slice(1)}.txt`), await world.tmux.pane(id).screen())
      }
    },
    close: () => world.close(),
  }
  const session = async (name: string) =>
    (await readJson(join(world.chat, 'sessions.json')))?.[name] as
      | { pane: string; agent: { pid: number } }
      | undefined
  world.api.setRule((request) => stage.rule(request))
  return stage
}

/** What the doorbell did and what the model saw, for a person who looks into a failure. */
export async function account(stage: Stage): Promise<string> {
  const requests = stage.requests()
  const rings = heardRings(requests).map(
    ({ text, at }) => `  ${new Date(at).toISOString()} heard: ${text}`,
  )
  const lines = (await history(stage.world)).map((event) => `  ${JSON.stringify(event)}`)
  return [...lines, ...rings, `  shown: ${[...shownIds(requests)].join(' ')}`].join('\n')
}

async function commandLine(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
}

export async function readJson(path: string): Promise<Record<string, unknown> | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (
      error instanceof SyntaxError ||
      (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    )
      return
    throw error
  }
}

async function history(world: World): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(world.chat, 'history.log'), 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
