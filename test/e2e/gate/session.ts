import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RUNTIME } from '../../../scripts/runtime.mjs'
import { readJson } from '../delivery/stage.ts'
import type { Pane } from '../harness/pane.ts'
import { eventually } from '../harness/poll.ts'
import type { World } from '../harness/world.ts'
import { type Account, as } from './account.ts'
import type { Plan } from './agents.ts'

/**
 * Tools that the client itself never asks about: what stands between a message and a change is the
 * gate alone.
 */
const ALLOWED = ['Bash', 'Edit', 'Write', 'NotebookEdit', 'Agent', 'Skill', 'mcp__notes']
/** In `auto` the client sets a rule as wide as `Bash` aside; then these stand. */
const NARROW = ['agent-chat', 'touch', 'echo', 'ls', 'exit', 'grep', 'head', 'sed'].map(
  (program) => `Bash(${program}:*)`,
)

/** Hooks of the test's own note these events of a client. */
const NOTED = ['SessionStart', 'PermissionRequest', 'FileChanged']

export interface SessionOptions {
  /** `--permission-mode`, `manual` by default. */
  mode?: string
  env?: Readonly<Record<string, string>>
  /** Plugin folders beside ours. */
  plugins?: readonly string[]
  /** More arguments for the client. */
  args?: readonly string[]
  /** Where it works; below the world's own directory, which is trusted. */
  cwd?: string
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

/** Where a session starts. `main`: the command line's bundle. */
export interface Place {
  world: World
  account: Account | undefined
  main: string
  env: Readonly<Record<string, string>>
}

/** Starts a session with the launcher, in a pane of its own, and waits until its client is up. */
export async function startSession(
  place: Place,
  name: string,
  options: SessionOptions,
): Promise<Session> {
  const { world, account, main } = place
  const env = { ...place.env, ...options.env }
  const settings = join(world.dir, `${name}.json`)
  await writeFile(settings, JSON.stringify({ hooks: noting(logOf(world, name)) }))
  const plugins = (options.plugins ?? []).flatMap((folder) => ['--plugin-dir', folder])
  const rules = ['--allowedTools', ...ALLOWED, ...NARROW]
  const claude = [
    '--permission-mode',
    options.mode ?? 'manual',
    '--settings',
    settings,
    ...rules,
    ...plugins,
    ...(options.args ?? []),
  ]
  // The tmux doorbell needs the pane's address; without it, nothing but the client's own hook can
  // ring.
  const here = env.AGENT_CHAT_DOORBELL === 'tmux' ? [] : ['--no-tmux']
  // A pane takes its PATH from who opens it, whatever the environment that it is given says.
  const argv = as(account, [
    'env',
    `PATH=${env.PATH}`,
    RUNTIME,
    main,
    name,
    ...here,
    '--',
    ...claude,
  ])
  const pane = await world.tmux.newSession({ argv, env, cwd: options.cwd ?? world.cwd })
  await pane.waitFor(/❯/)
  await eventually(
    'the session to start',
    async () => (await noted(world, name, 'SessionStart')) > 0,
  )
  return {
    name,
    pane,
    dialogs: () => noted(world, name, 'PermissionRequest'),
    prompted: async (plan) => {
      await pane.submit(`Please do ${plan.key}`)
      await finished(plan)
      await idle(world, name)
    },
    dialog: () => dialog(world, pane),
    yes: () => close(pane, 'Enter'),
    no: () => close(pane, 'Escape'),
  }
}

/** Waits until a model has carried out a plan. */
export async function finished(plan: Plan): Promise<void> {
  await eventually(`the model to end ${plan.key}`, () => plan.done, {
    timeoutMs: 60_000,
    state: () =>
      `begun: ${plan.begun}, after ${plan.results.length} of ${plan.steps.length} steps:\n${plan.results.at(-1)}`,
  })
}

/**
 * Waits until the session's turn is over. After a No the client tells nobody: a session stays as it
 * was until its next prompt.
 */
export async function idle(world: World, name: string): Promise<void> {
  const state = () => readJson(join(world.chat, 'state', `${name}.json`))
  await eventually(`@${name} to be idle`, async () => (await state())?.activity === 'idle', {
    state: async () => JSON.stringify(await state()),
  })
}

/** Where no dialog comes, the reason is in what the hooks and the client know. */
function dialog({ chat, home }: World, pane: Pane): Promise<string> {
  const look = async () => {
    const screen = await pane.screen()
    return isDialog(screen) ? screen : undefined
  }
  const state = async () => {
    const folders = [join(chat, 'state'), join(home, '.claude', 'sessions')]
    const known = (await Promise.all(folders.map(textsIn))).flat()
    return [await pane.screen(), ...known, await readFile(join(chat, 'history.log'), 'utf8')].join(
      '\n',
    )
  }
  return eventually('a dialog', look, { state })
}

async function textsIn(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => [])
  return Promise.all(files.map((file) => readFile(join(folder, file), 'utf8').catch(String)))
}

const CLOSES = /Esc to cancel/

function isDialog(screen: string): boolean {
  return /Do you want to/.test(screen) && CLOSES.test(screen)
}

/** Presses `key` until the dialog is gone: in its first moments a dialog takes no key. */
async function close(pane: Pane, key: string): Promise<void> {
  let pressed = 0
  await eventually(`the dialog to close on ${key}`, async () => {
    // A question of the agent's is one too, and has the sign of the input box on its first row.
    if (!CLOSES.test(await pane.screen())) return true
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
export async function noted(world: World, name: string, event: string): Promise<number> {
  const text = await readFile(logOf(world, name), 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line === event).length
}

/** Hooks that note the events of a client in `file`, one a line. */
function noting(file: string): Record<string, unknown> {
  const hook = (event: string) => [
    { hooks: [{ type: 'command', command: `echo ${event} >> '${file}'` }] },
  ]
  return Object.fromEntries(NOTED.map((event) => [event, hook(event)]))
}
