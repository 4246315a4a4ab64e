import { existsSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Agent } from '../agents/agent.ts'
import { AGENTS, howToInstall } from '../agents/agents.ts'
import { CLAUDE } from '../agents/claude.ts'
import { readJson } from '../system/json.ts'
import { findProgram, tmuxHint } from '../system/programs.ts'
import { runQuietly } from '../system/run.ts'
import type { Check } from './check.ts'
import { isOnPath, pathLine } from './link.ts'

/** The oldest versions with all that is used here, of tmux `capture-pane` and `#{socket_path}`. */
const OLDEST = { node: [20, 19], tmux: [3, 0] } as const

/** How long a program may take to say its version. In milliseconds. */
const VERSION_MS = 15_000

type Env = NodeJS.ProcessEnv

/** Node by its version, which is that of the process that asks; undefined where it runs without. */
export function checkNode(version: string | undefined): Check {
  if (version === undefined) return { name: 'node', status: 'ok', detail: 'not needed' }
  if (atLeast(version, OLDEST.node)) return { name: 'node', status: 'ok', detail: version }
  const hint = `install Node ${OLDEST.node.join('.')} or newer: https://nodejs.org`
  return { name: 'node', status: 'failed', detail: `${version} is too old`, hint }
}

/** tmux: the launcher and the tmux doorbell stand on it. */
export async function checkTmux(env: Env): Promise<Check> {
  const path = findProgram('tmux', env)
  const hint = tmuxHint(env)
  if (path === undefined) return { name: 'tmux', status: 'failed', detail: 'not installed', hint }
  const { code, stdout } = await runQuietly([path, '-V'], env, VERSION_MS)
  const version = stdout.trim().replace(/^tmux /, '')
  if (code !== 0) return { name: 'tmux', status: 'failed', detail: `${path} does not run`, hint }
  // A build from tmux's own repository calls itself `master`; it is newer than any number.
  if (!/\d/.test(version) || atLeast(version, OLDEST.tmux))
    return { name: 'tmux', status: 'ok', detail: version }
  return { name: 'tmux', status: 'failed', detail: `${version} is too old: 3.0 is needed`, hint }
}

/** The first of the other known agents that is installed. */
export function otherAgent(env: Env): Agent | undefined {
  const [, ...others] = AGENTS
  return others.find(({ programs }) => programs.some((name) => findProgram(name, env)))
}

/** Claude Code; without it, other agents still work. */
export async function checkClaude(env: Env): Promise<Check> {
  const path = findProgram('claude', env)
  const hint = howToInstall(CLAUDE)
  if (path === undefined) {
    const detail = `not installed; other agents work: agent-chat start <name> --agent ${otherAgent(env)?.name ?? '<agent>'}`
    return { name: 'claude', status: 'warning', detail, hint }
  }
  const { code, stdout } = await runQuietly([path, '--version'], env, VERSION_MS)
  const version = /\d+(\.\d+)+/.exec(stdout)?.[0]
  if (code === 0 && version !== undefined) return { name: 'claude', status: 'ok', detail: version }
  return { name: 'claude', status: 'warning', detail: `${path} does not print its version`, hint }
}

/**
 * Whether a shell that is asked for `agent-chat` starts this one. Setup links it in
 * `linkDirectory`.
 */
export function checkCommand(env: Env, root: string, linkDirectory: string): Check {
  const found = findProgram('agent-chat', env)
  const own = join(root, 'bin', 'agent-chat')
  if (found === undefined)
    return { name: 'agent-chat', status: 'warning', ...absence(env, own, linkDirectory) }
  const real = realpathSync(found)
  if (real === realpathSync(own)) return { name: 'agent-chat', status: 'ok', detail: found }
  const detail = `another one is first on PATH: ${found}${real === found ? '' : ` (${real})`}`
  return {
    name: 'agent-chat',
    status: 'warning',
    detail,
    hint: `this one is ${own}; sessions use the first`,
  }
}

function absence(env: Env, own: string, linkDirectory: string): { detail: string; hint: string } {
  if (isOnPath(linkDirectory, env) || !existsSync(join(linkDirectory, 'agent-chat')))
    return { detail: 'not on PATH', hint: `link it into ${linkDirectory} with: ${own} setup` }
  const line = pathLine(basename(env.SHELL ?? ''))
  return {
    detail: `${linkDirectory} is not on PATH`,
    hint: `add it with: ${line}; then open a new terminal`,
  }
}

/**
 * Whether the plugin that Claude Code has installed is of this version; undefined where none is
 * installed. Claude Code lists its plugins in `plugins/installed_plugins.json`.
 */
export function checkPlugin(env: Env, userHome: string, own: string): Check | undefined {
  const version = /"agent-chat@[^"]*":[\s\S]*?"version":"([^"]+)"/.exec(
    JSON.stringify(pluginsOf(env, userHome)),
  )?.[1]
  if (version === undefined) return undefined
  if (version === own) return { name: 'plugin', status: 'ok', detail: version }
  const detail = `Claude Code has version ${version} installed, and this command is ${own}`
  const hint =
    'update both: /plugin update agent-chat@agent-chat in Claude Code; and the clone or package of this command'
  return { name: 'plugin', status: 'warning', detail, hint }
}

/** What Claude Code has installed, by `<plugin>@<marketplace>`. */
export function pluginsOf(env: Env, userHome: string): Record<string, unknown> {
  const root = env.CLAUDE_CONFIG_DIR || join(userHome, '.claude')
  const list = readJson(join(root, 'plugins', 'installed_plugins.json'))
  const found =
    typeof list === 'object' && list !== null && 'plugins' in list ? list.plugins : undefined
  return typeof found === 'object' && found !== null ? { ...found } : {}
}

/** The plugin with the room, from the marketplace that agent-chat itself is installed from. */
export function roomPlugin(env: Env, userHome: string): string | undefined {
  const plugins = pluginsOf(env, userHome)
  return Object.keys(plugins).find(
    (name) => name.startsWith('agent-chat-room@') && name.replace('-room@', '@') in plugins,
  )
}

/** Whether a version, as `20.19.0` or `3.3a`, is `oldest` or newer. */
export function atLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [, ownMajor = 0, ownMinor = 0] = (/(\d+)(?:\.(\d+))?/.exec(version) ?? []).map((part) =>
    Number(part ?? 0),
  )
  return ownMajor > major || (ownMajor === major && ownMinor >= minor)
}
