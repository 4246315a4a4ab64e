import { realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import { readSessions } from '../bus/names/registry.ts'
import { type ClientPlace, type Settings, settingsOf } from '../session/clientSettings.ts'
import { unless } from '../system/errno.ts'
import { fieldOf } from '../system/json.ts'
import { userHome } from '../system/user.ts'
import { putText, textAt } from './agentFiles.ts'
import type { Check } from './check.ts'
import { withItem } from './jsonEntry.ts'

type SandboxPorts = { env: NodeJS.ProcessEnv; bus: Pick<Bus, 'home'> }

/**
 * Whether commands in Claude Code's sandbox can write the data directory. Says which settings close
 * it, in the user's own ones and in those of the sessions' folders, and what to write where:
 * https://code.claude.com/docs/en/sandboxing. No check where no sandbox is on.
 */
export function checkSandbox(
  env: NodeJS.ProcessEnv,
  { home }: Pick<Bus, 'home'>,
  managed?: readonly string[],
): Check[] {
  const looked = sandboxes(env, home, managed)
  if (looked.length === 0) return []
  const name = 'sandbox'
  const closed = looked.filter(({ isOpen }) => !isOpen)
  if (closed.length === 0) return [{ name, status: 'ok', detail: `it may write ${home.root}` }]
  const denied = [...new Set(closed.flatMap((one) => one.denied))]
  const setting = JSON.stringify({ sandbox: { filesystem: { allowWrite: [home.root] } } })
  return [
    {
      name,
      status: 'warning',
      detail: `commands in Claude Code’s sandbox cannot write ${home.root}: ${[...new Set(closed.map(({ by }) => by))].join(', ')}`,
      hint: denied.length
        ? `remove it from sandbox.filesystem.denyWrite in ${denied.join(', ')}`
        : `add to ${ownSettings(env)}: ${setting}`,
    },
  ]
}

/**
 * The same, and where that setting is all that is missing, shows it as a change of the user's own
 * settings and writes it, once they agree. `agree`: undefined where nobody is there.
 */
export async function offerSandbox(
  { env, bus }: SandboxPorts,
  agree: ((question: string) => Promise<boolean>) | undefined,
  say: (text: string) => void,
  managed?: readonly string[],
): Promise<Check[]> {
  const { root } = bus.home
  const found = checkSandbox(env, bus, managed)
  const closed = sandboxes(env, bus.home, managed).filter(({ isOpen }) => !isOpen)
  if (!agree || closed.length === 0 || closed.some(({ denied }) => denied.length > 0)) return found
  const file = ownSettings(env)
  const before = textAt(file) ?? ''
  const after = withItem(before, ALLOW, root)
  if (after === undefined) return found
  for (const line of [`change ${file}:`, ...changedLines(before, after)]) say(line)
  if (!(await agree(`Let commands in Claude Code’s sandbox write ${root}?`))) return found
  // Their answer took its time: what somebody has written meanwhile stays.
  if ((textAt(file) ?? '') !== before) return checkSandbox(env, bus, managed)
  putText(file, after)
  return checkSandbox(env, bus, managed)
}

const ALLOW = ['sandbox', 'filesystem', 'allowWrite']

function ownSettings(env: NodeJS.ProcessEnv): string {
  return `${env.CLAUDE_CONFIG_DIR || `${env.HOME || userHome()}/.claude`}/settings.json`
}

/** The lines that one text has instead of those of another. */
function changedLines(before: string, after: string): string[] {
  const old = before === '' ? [] : before.split('\n')
  const rest = after.split('\n')
  let same = 0
  while (same < old.length && old[same] === rest[same]) same += 1
  let tail = 0
  const left = Math.min(old.length, rest.length) - same
  while (tail < left && old.at(-1 - tail) === rest.at(-1 - tail)) tail += 1
  return [
    ...old.slice(same, old.length - tail).map((line) => `- ${line}`),
    ...rest.slice(same, rest.length - tail).map((line) => `+ ${line}`),
  ].filter((line) => line.trim() !== '+')
}

/** What the Claude Code of the user does, and one in each session's folder, where a sandbox is on. */
function sandboxes(env: NodeJS.ProcessEnv, home: Bus['home'], managed?: readonly string[]) {
  const folders = Object.values(readSessions(home)).flatMap(({ cwd }) => cwd ?? [])
  const places = ['', ...new Set(folders)].map((cwd) => ({
    ...{ env, userHome: env.HOME || userHome(), cwd, argv: [] },
    ...(managed ? { managed } : {}),
  }))
  return places.map((place) => sandboxOf(place, home.root)).filter((one) => one !== undefined)
}

/** What a Claude Code at this place does with `root`; undefined where its sandbox is off. */
function sandboxOf(
  place: ClientPlace,
  root: string,
): { by: string; isOpen: boolean; denied: string[] } | undefined {
  const all = settingsOf(place)
  const switches = all.filter((one) => typeof fieldOf(sandboxIn(one), 'enabled') === 'boolean')
  const last = switches.at(-1)
  if (!last || fieldOf(sandboxIn(last), 'enabled') !== true) return undefined
  const filesystem = (one: Settings) => fieldOf(sandboxIn(one), 'filesystem')
  const covers = (one: Settings, list: unknown) =>
    textsIn(list).some((path) => isBelow(root, pathIn(path, one, place)))
  const denied = all.filter((one) => covers(one, fieldOf(filesystem(one), 'denyWrite')))
  const isAllowed = all.some(
    (one) =>
      fieldOf(filesystem(one), 'disabled') === true ||
      covers(one, fieldOf(filesystem(one), 'allowWrite')) ||
      covers(one, fieldOf(fieldOf(one.value, 'permissions'), 'additionalDirectories')),
  )
  // The sandbox may always write below the folder that the session is in.
  const isInside = place.cwd !== '' && isBelow(root, place.cwd)
  return {
    by: last.path,
    isOpen: denied.length === 0 && (isAllowed || isInside),
    denied: denied.map(({ path }) => path),
  }
}

function sandboxIn({ value }: Settings): unknown {
  return fieldOf(value, 'sandbox')
}

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
}

/** As Claude Code reads it: `//` is `/`, `~` the home, and the rest is below the file's own folder. */
function pathIn(
  path: string,
  { whose, path: file }: Settings,
  { userHome: own, cwd }: ClientPlace,
) {
  if (path === '~' || path.startsWith('~/')) return `${own}${path.slice(1)}`
  if (path.startsWith('/')) return path.replace(/^\/+/, '/')
  return resolve(whose === 'project' ? dirname(dirname(file)) : dirname(file) || cwd, path)
}

function isBelow(path: string, folder: string): boolean {
  const outer = real(resolve(folder.replace(/\/\*\*?$/, '')))
  const inner = real(path)
  return inner === outer || outer === '/' || inner.startsWith(`${outer}/`)
}

function real(path: string): string {
  return unless(['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'], () => realpathSync(path)) ?? path
}
