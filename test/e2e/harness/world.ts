import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IS_NATIVE, NATIVE } from '../../../scripts/runtime.mjs'
import { version } from '../../../src/version.ts'
import { type Rule, type ScriptedApi, scriptedApi } from './api.ts'
import { claudeJson, cleanEnv } from './environment.ts'
import { type Headless, startHeadless } from './headless.ts'
import { ensureClaude } from './install.ts'
import type { Pane } from './pane.ts'
import { endProcesses } from './processes.ts'
import { type TmuxServer, tmuxServer } from './tmux.ts'

export interface WorldOptions {
  /** What the scripted model answers. Default: `ok` to everything. */
  rule?: Rule
  /**
   * A plugin folder (this project's root, as a rule) or several, given to every client as
   * `--plugin-dir`.
   */
  pluginDir?: string | readonly string[]
  /** Added to the environment of everything that starts here. */
  env?: Readonly<Record<string, string>>
  /** False leaves the workspace untrusted, so that the trust dialog opens. */
  trusted?: boolean
}

export interface StartOptions {
  /** The session's name: `AGENT_CHAT_NAME` in the client's environment. */
  name?: string
  args?: readonly string[]
  /**
   * `--permission-mode`, `manual` by default. The client's own default, `auto`, asks a classifier
   * that the scripted API is not: there, a dialog of its own opens over every tool call.
   */
  mode?: string
  /** Settings of this client alone (`--settings`): hooks, permissions, editorMode. */
  settings?: Readonly<Record<string, unknown>>
  env?: Readonly<Record<string, string>>
  cwd?: string
  width?: number
  height?: number
  /** A bare bash takes the pane over when the client ends. */
  thenShell?: boolean
  /** What the screen shows when the client is up. Default: its prompt glyph. */
  ready?: RegExp
}

export interface World {
  readonly dir: string
  /** `AGENT_CHAT_HOME` of everything that starts here. */
  readonly chat: string
  /** The scratch `HOME`. */
  readonly home: string
  readonly cwd: string
  /** Path of the pinned `claude`. */
  readonly claude: string
  readonly env: Readonly<Record<string, string>>
  readonly api: ScriptedApi
  readonly tmux: TmuxServer
  /** Claude Code in a pane of its own, up and waiting for a prompt. */
  startClaude(options?: StartOptions): Promise<Pane>
  /** `claude -p` with stream-json in and out. */
  startHeadless(options?: StartOptions): Promise<Headless>
  /**
   * Keeps the screens, the requests and the message home under `folder`, for a person to look at.
   */
  save(folder: string): Promise<void>
  /** Ends every process that carries this world's environment, and removes its files. */
  close(): Promise<void>
}

/**
 * A world for one test: a scratch HOME, message home and working directory, a scripted model and a
 * tmux server. Nothing of the surrounding session reaches it. In a test, take it through
 * `worldForTest`, which also cleans up.
 */
export async function claudeWorld(options: WorldOptions = {}): Promise<World> {
  const claude = await ensureClaude()
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'ac-e2e-')))
  const [home, chat, cwd] = [join(dir, 'home'), join(dir, 'chat'), join(dir, 'work')]
  for (const folder of [home, chat, cwd]) await mkdir(folder, { mode: 0o700 })
  if (IS_NATIVE) await installNativeIn(home)
  await writeFile(join(home, '.claude.json'), claudeJson(cwd, options.trusted ?? true))
  const [api, tmux] = await Promise.all([
    scriptedApi(options.rule ?? (() => ({ text: 'ok' }))),
    tmuxServer(),
  ])
  const env = { ...cleanEnv({ home, chat, apiUrl: api.url }), ...tmux.env, ...options.env }
  const panes: Pane[] = []
  const headless: Headless[] = []
  let count = 0

  const prepare = async (start: StartOptions) => {
    const plugins =
      typeof options.pluginDir === 'string' ? [options.pluginDir] : (options.pluginDir ?? [])
    const args = plugins.flatMap((folder) => ['--plugin-dir', folder])
    if (start.settings) {
      const file = join(dir, `settings-${count++}.json`)
      await writeFile(file, JSON.stringify(start.settings))
      args.push('--settings', file)
    }
    const own = start.name === undefined ? {} : { AGENT_CHAT_NAME: start.name }
    args.push('--permission-mode', start.mode ?? 'manual', ...(start.args ?? []))
    return {
      argv: [claude, ...args],
      env: { ...env, ...own, ...start.env },
      cwd: start.cwd ?? cwd,
    }
  }
  const startClaude = async (start: StartOptions = {}) => {
    const { argv, ...place } = await prepare(start)
    const what = start.thenShell
      ? { cmd: `${argv.map(quote).join(' ')}; exec bash --norc` }
      : { argv }
    const size = { width: start.width ?? 130, height: start.height ?? 40 }
    const pane = await tmux.newSession({ ...what, ...place, ...size })
    panes.push(pane)
    await pane.waitFor(start.ready ?? /❯/)
    return pane
  }
  const world: World = {
    ...{ dir, chat, home, cwd, claude, env, api, tmux, startClaude },
    startHeadless: async (start = {}) => {
      const { argv, ...place } = await prepare(start)
      const client = startHeadless(argv, place)
      headless.push(client)
      return client
    },
    save: (folder) => save(folder, world, panes, headless),
    close: async () => {
      for (const client of headless) client.kill()
      await tmux.kill()
      await endProcesses('AGENT_CHAT_HOME', chat)
      await api.close()
      await rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
  return world
}

async function save(
  folder: string,
  world: World,
  panes: Pane[],
  headless: Headless[],
): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [index, pane] of panes.entries()) {
    const text = await pane.screen().catch((error: unknown) => `no screen: ${error}`)
    await writeFile(join(folder, `screen-${index}.txt`), text)
    const coloured = await pane.screen({ escapes: true }).catch(() => '')
    await writeFile(join(folder, `screen-${index}.ansi`), coloured)
  }
  for (const [index, client] of headless.entries()) {
    await writeFile(
      join(folder, `headless-${index}.json`),
      JSON.stringify(client.messages, null, 1),
    )
    await writeFile(join(folder, `headless-${index}.stderr`), client.stderr())
  }
  await writeFile(join(folder, 'requests.json'), JSON.stringify(world.api.requests, null, 1))
  await cp(world.chat, join(folder, 'chat'), { recursive: true }).catch(() => undefined)
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** Where `bin/agent-chat` looks for it, so that the hooks run it too. */
async function installNativeIn(home: string): Promise<void> {
  const place = join(home, '.local', 'share', 'agent-chat', 'native', version)
  await mkdir(place, { recursive: true })
  await symlink(NATIVE, join(place, 'agent-chat'))
}
