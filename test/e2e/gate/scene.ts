import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { copyPlugin } from '../delivery/plugin.ts'
import { readJson } from '../delivery/stage.ts'
import type { Pane } from '../harness/pane.ts'
import { eventually } from '../harness/poll.ts'
import { worldForTest } from '../harness/test-world.ts'
import type { World } from '../harness/world.ts'
import { type Account, as, give, sharedClient } from './account.ts'
import { type Agents, obedientAgents, type Plan } from './agents.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Tools that the client itself never asks about: what stands between a message and a change is the gate alone. */
const ALLOWED = ['Bash', 'Edit', 'Write', 'NotebookEdit', 'Agent']
/** In `auto` the client sets a rule as wide as `Bash` aside; then these stand. */
const NARROW = ['agent-chat', 'touch', 'echo', 'ls', 'exit'].map((program) => `Bash(${program}:*)`)

/** Hooks of the test's own note these events of a client. */
const NOTED = ['SessionStart', 'PermissionRequest', 'FileChanged']

export interface SessionOptions {
  /** `--permission-mode`, `manual` by default. */
  mode?: string
  env?: Readonly<Record<string, string>>
}

/** A launched session, with its client on a screen. */
export interface Session {
  readonly name: string
  readonly pane: Pane
  /** How many dialogs the client has opened. */
  dialogs(): Promise<number>
  /** Types a prompt of the human's that starts `plan`, and waits for its end. */
  prompted(plan: Plan): Promise<void>
  /** The screen with a dialog on it. */
  dialog(): Promise<string>
  /** Answers the dialog with its first row, Yes. */
  yes(): Promise<void>
  /** Answers the dialog with Escape. */
  no(): Promise<void>
}

/** A world with this plugin, obedient models, and messages from @backend, which no agent runs. */
export interface Scene {
  readonly world: World
  readonly agents: Agents
  session(name?: string, options?: SessionOptions): Promise<Session>
  /** Runs `agent-chat` from outside every agent, as `name`; gives what it printed. */
  chat(args: readonly string[], name?: string): Promise<string>
  /** A message from @backend that asks for `plan`. */
  asks(plan: Plan, to?: string): Promise<void>
  /** The same, and waits until the model has carried it out and its turn is over. */
  obeyed(plan: Plan, to?: string): Promise<void>
  /** Waits until the gate of @frontend is `open` or `closed`. */
  gateIs(gate: 'open' | 'closed'): Promise<void>
  /** Waits until a file of the sessions' working directory is there. */
  appears(file: string): Promise<void>
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

export async function sceneForTest(options: { account?: Account | undefined } = {}): Promise<Scene> {
  const { account } = options
  const agents = obedientAgents()
  const plugin = await copyPlugin(ROOT)
  onTestFinished(() => plugin.remove())
  const world = await worldForTest({ rule: agents.rule })
  const client = account ? await sharedClient(world.claude, world.dir) : dirname(world.claude)
  const env = { ...world.env, AGENT_CHAT_DOORBELL: 'native', TMPDIR: world.dir, PATH: `${client}:${world.env.PATH}` }
  await mkdir(join(world.home, '.claude'))
  await writeFile(join(world.home, '.claude', 'settings.json'), '{"skipDangerousModePermissionPrompt":true}')
  await chmod(dirname(plugin.root), 0o755)
  await give(account, world.dir)

  const main = join(plugin.root, 'dist', 'main.js')
  const chat: Scene['chat'] = async (args, name) => {
    const more = name === undefined ? {} : { AGENT_CHAT_NAME: name }
    const place = { env: { ...env, ...more }, cwd: world.cwd, ...account }
    return (await promisify(execFile)(process.execPath, [main, ...args], place)).stdout
  }
  await chat(['join', 'backend', '--no-watch'])
  const panes = new Map<string, Pane>()
  onTestFinished(async ({ task }) => {
    if (task.result?.state !== 'fail') return
    // Beside the rest of what is kept of a failure.
    for (const [name, pane] of panes) {
      await writeFile(join(world.chat, `${name}.screen.txt`), await pane.screen().catch(String))
    }
  })
  const asks: Scene['asks'] = async (plan, to = 'frontend') => {
    await chat(['send', `@${to}`, `Please do ${plan.key}.`, '--subject', 'a little favour'], 'backend')
  }
  return {
    world,
    agents,
    main,
    chat,
    session: async (name = 'frontend', { mode = 'manual', env: more = {} } = {}) => {
      const log = logOf(world, name)
      const settings = join(world.dir, `${name}.json`)
      await writeFile(settings, JSON.stringify({ hooks: noting(log, NOTED) }))
      const claude = ['--permission-mode', mode, '--settings', settings, '--allowedTools', ...ALLOWED, ...NARROW]
      // A pane takes its PATH from who opens it, whatever the environment that it is given says.
      const here = more.AGENT_CHAT_DOORBELL === 'tmux' ? [] : ['--no-tmux']
      const launch = ['env', `PATH=${env.PATH}`, process.execPath, main, name, ...here, '--', ...claude]
      const argv = as(account, launch)
      const pane = await world.tmux.newSession({
        argv,
        env: { ...env, ...more },
        cwd: world.cwd,
        width: 130,
        height: 40,
      })
      panes.set(name, pane)
      await pane.waitFor(/❯/, 40_000)
      await eventually('the session to start', async () => (await noted(world, name, 'SessionStart')) > 0)
      return sessionOn(
        name,
        pane,
        () => noted(world, name, 'PermissionRequest'),
        () => idle(world, name),
      )
    },
    asks,
    obeyed: async (plan, to = 'frontend') => {
      await asks(plan, to)
      await finished(plan)
      await idle(world, to)
    },
    gateIs: async (gate) => {
      const look = () => chat(['gate', 'frontend'])
      await eventually(`the gate to be ${gate}`, async () => (await look()).startsWith(`@frontend  ${gate}:`), {
        state: look,
      })
    },
    appears: async (file) => {
      await eventually(`${file} to appear`, () => existsSync(join(world.cwd, file)))
    },
    bells: (name) => noted(world, name, 'FileChanged'),
    path: (file) => join(world.cwd, file),
    made: (file) => existsSync(join(world.cwd, file)),
    events: async (kind) => (await history(world)).filter(({ event }) => event === kind),
    sentBy: async (name) => {
      const folder = join(world.chat, 'messages')
      const files = (await readdir(folder)).filter((file) => file.endsWith(`-from-${name}.md`)).sort()
      return Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
    },
  }
}

/** Waits until a model has carried out a plan. */
export async function finished(plan: Plan): Promise<void> {
  await eventually(`the model to end ${plan.key}`, () => plan.done, {
    timeoutMs: 30_000,
    state: () =>
      `begun: ${plan.begun}, after ${plan.results.length} of ${plan.steps.length} steps:\n${plan.results.at(-1)}`,
  })
}

/** Waits until the session's turn is over. After a No the client tells nobody: a session stays as it was until its next prompt. */
async function idle(world: World, name: string): Promise<void> {
  const state = () => readJson(join(world.chat, 'state', `${name}.json`))
  await eventually(`@${name} to be idle`, async () => (await state())?.activity === 'idle', {
    state: async () => JSON.stringify(await state()),
  })
}

function sessionOn(name: string, pane: Pane, dialogs: () => Promise<number>, rest: () => Promise<void>): Session {
  return {
    name,
    pane,
    dialogs,
    prompted: async (plan) => {
      await pane.submit(`Please do ${plan.key}`)
      await finished(plan)
      await rest()
    },
    dialog: () => pane.waitFor(isDialog),
    yes: () => close(pane, 'Enter'),
    no: () => close(pane, 'Escape'),
  }
}

function isDialog(screen: string): boolean {
  return /Do you want to/.test(screen) && /Esc to cancel/.test(screen)
}

/** Presses `key` until the dialog is gone: in its first moments a dialog takes no key. */
async function close(pane: Pane, key: string): Promise<void> {
  let pressed = 0
  await eventually(`the dialog to close on ${key}`, async () => {
    if (!isDialog(await pane.screen())) return true
    if (Date.now() - pressed < 600) return false
    await pane.key(key)
    pressed = Date.now()
    return false
  })
  // The input box is back when the client is ready to be typed into again.
  await pane.waitFor(/^❯/m)
}

function logOf(world: World, name: string): string {
  return join(world.dir, `${name}.events`)
}

/** How often the client of `name` has told of an event. */
async function noted(world: World, name: string, event: string): Promise<number> {
  const text = await readFile(logOf(world, name), 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line === event).length
}

/** Hooks that note these events, one a line, in `file`. */
function noting(file: string, events: readonly string[]): Record<string, unknown> {
  const hook = (event: string) => [{ hooks: [{ type: 'command', command: `echo ${event} >> '${file}'` }] }]
  return Object.fromEntries(events.map((event) => [event, hook(event)]))
}

async function history(world: World): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(world.chat, 'history.log'), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line))
}
