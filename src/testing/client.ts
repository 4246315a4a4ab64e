import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import type { Session } from '../bus/names/registry.ts'
import { tempBus, tempDirectory } from './home.ts'
import { until } from './until.ts'

/** Files of settings by their paths below a folder, where `home` and `work` are. */
export type Files = Record<string, unknown>

/** The user has the plugin, which `project` settings may switch off. */
export const PLUGIN = {
  'home/.claude/settings.json': { enabledPlugins: { 'agent-chat@agent-chat': true } },
}
export const OFF = { disableAllHooks: true }
export const project = (value: unknown) => ({ ...PLUGIN, 'work/.claude/settings.json': value })

/** A process with this name that stands for the client of a session. */
function client(files: Files, name: string) {
  const root = tempDirectory()
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), JSON.stringify(value))
  }
  const cwd = join(root, 'work')
  mkdirSync(cwd, { recursive: true })
  const program = join(root, name)
  copyFileSync('/bin/sleep', program)
  const child = spawn(program, ['150'], { cwd, env: { HOME: join(root, 'home') }, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { root, pid: child.pid ?? 0 }
}

/** The process of such a client, once it is up. */
export async function clientIn(files: Files, name: string, { processes }: Bus) {
  const { root, pid } = client(files, name)
  await until('the client is up', () => processes.find(pid)?.command === name)
  return { root, agent: { pid, started: processes.find(pid)?.started ?? '' } }
}

/**
 * A session @front of such a client, which is registered without its pane: no watcher starts.
 * `heard`: its hooks have told of it.
 */
export async function sessionIn(
  files: Files,
  { heard = false, name = 'claude' } = {},
): Promise<{ bus: Bus; root: string; session: Session }> {
  const bus = tempBus(['front', 'backend'])
  const { root, agent } = await clientIn(files, name, bus)
  const at = '2026-11-21T03:39:12.123Z'
  if (heard) {
    mkdirSync(bus.home.states, { recursive: true })
    const state = { activity: 'idle', since: at, session_id: null, agent }
    writeFileSync(bus.home.state('front'), JSON.stringify(state))
  }
  const place = { pane: '%1', tmux_socket: '/s', joined_at: at, cwd: join(root, 'work') }
  const session = { name: 'front', agent, native: true, doorbell: 'auto', ...place }
  const backend = { name: 'backend', pane: null, joined_at: at }
  writeFileSync(bus.home.sessions, JSON.stringify({ front: { ...session, pane: null }, backend }))
  return { bus, root, session }
}
