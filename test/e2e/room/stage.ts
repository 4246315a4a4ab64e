import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import type { Rule } from '../harness/api.ts'
import { claudeJson } from '../harness/environment.ts'
import { pinnedVersion } from '../harness/install.ts'
import type { Pane } from '../harness/pane.ts'
import { eventually } from '../harness/poll.ts'
import { worldForTest } from '../harness/test-world.ts'
import type { World } from '../harness/world.ts'

export const ROOT = join(import.meta.dirname, '..', '..', '..')
/** Claude Code has mods since 2.1.287; before that, the room's file is left alone. */
const VERSION = await pinnedVersion()
const HAS_MODS = VERSION.localeCompare('2.1.287', 'en', { numeric: true }) >= 0
if (!HAS_MODS) console.log(`Claude Code ${VERSION} has no mods: cases of the room are left out`)

/** A case that needs a client with mods. */
export const withMods = test.runIf(HAS_MODS)

const AGENT = ['--permission-mode', 'manual', '--allowedTools', 'Bash(agent-chat:*)']

export interface Stage {
  world: World
  pane: Pane
  /** The command line, as a person runs it at a terminal of their own, or as `name`. */
  chat(args: readonly string[], name?: string): Promise<string>
}

export interface StageOptions {
  rule?: Rule
  size?: readonly [columns: number, rows: number]
  env?: Readonly<Record<string, string>>
  args?: readonly string[]
  /** Another folder than the project's, with the build and both plugins. */
  root?: string
  /** A folder of the scratch HOME to start in, so that screens show `~/web`. */
  inHome?: string
  /** The user's own settings of the client. */
  settings?: Readonly<Record<string, unknown>>
  /** Makes a program that is started in place of the client. */
  insteadOf?: (claude: string, folder: string) => string
  /** No room runs: nobody waits for it. */
  without?: boolean
}

/** `frontend`, started by the launcher with the room, and `backend`, which a test speaks for. */
export async function stageFor(options: StageOptions): Promise<Stage> {
  const { rule, size, env = {}, args = [], root = ROOT } = options
  const world = await worldForTest(rule === undefined ? { env } : { rule, env })
  const cwd = options.inHome === undefined ? world.cwd : join(world.home, options.inHome)
  if (options.inHome !== undefined) {
    mkdirSync(cwd)
    writeFileSync(join(world.home, '.claude.json'), claudeJson(cwd, true))
  }
  if (options.settings !== undefined) {
    mkdirSync(join(world.home, '.claude'))
    writeFileSync(join(world.home, '.claude', 'settings.json'), JSON.stringify(options.settings))
  }
  const program = options.insteadOf?.(world.claude, world.dir) ?? world.claude
  const path = { PATH: `${dirname(program)}:${world.env.PATH}` }
  const chat = async (given: readonly string[], name?: string) => {
    const own = name === undefined ? {} : { AGENT_CHAT_NAME: name }
    const argv = [join(root, 'dist', 'main.js'), ...given]
    const { stdout } = await promisify(execFile)(process.execPath, argv, {
      env: { ...world.env, ...path, ...own },
      cwd,
    })
    return stdout
  }
  await chat(['start', 'frontend', '--detach', '--', ...AGENT, ...args])
  await chat(['join', 'backend'], 'backend')
  const { sessions } = JSON.parse(await chat(['who', '--json']))
  const row = sessions.find(({ name }: { name: string }) => name === 'frontend')
  const [columns = 120, rows = 36] = size ?? []
  await world.tmux.tmux(
    ...['resize-window', '-t', 'ac-frontend', '-x', String(columns), '-y', String(rows)],
  )
  const pane = world.tmux.pane(row.pane)
  await pane.waitFor(/❯/)
  if (!options.without)
    await eventually('the room', async () => roomsIn(world.chat) || undefined, {
      timeoutMs: 15_000,
    })
  return { world, pane, chat }
}

/** How many clients run the room. */
function roomsIn(chat: string): number {
  const folder = join(chat, 'rooms')
  return existsSync(folder)
    ? readdirSync(folder).filter((file) => file.endsWith('.json')).length
    : 0
}
