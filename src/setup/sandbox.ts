import { realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Bus } from '../bus/bus.ts'
import { readSessions } from '../bus/names/registry.ts'
import { type ClientPlace, type Settings, settingsOf } from '../session/clientSettings.ts'
import { unless } from '../system/errno.ts'
import { fieldOf } from '../system/json.ts'
import { userHome } from '../system/user.ts'
import type { Check } from './check.ts'

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
  const own = env.HOME || userHome()
  const folders = Object.values(readSessions(home)).flatMap(({ cwd }) => cwd ?? [])
  const places = ['', ...new Set(folders)].map((cwd) => ({
    ...{ env, userHome: own, cwd, argv: [] },
    ...(managed ? { managed } : {}),
  }))
  const looked = places
    .map((place) => sandboxOf(place, home.root))
    .filter((one) => one !== undefined)
  if (looked.length === 0) return []
  const name = 'sandbox'
  const closed = looked.filter(({ isOpen }) => !isOpen)
  if (closed.length === 0) return [{ name, status: 'ok', detail: `it may write ${home.root}` }]
  const denied = [...new Set(closed.flatMap((one) => one.denied))]
  const setting = JSON.stringify({ sandbox: { filesystem: { allowWrite: [home.root] } } })
  const file = `${env.CLAUDE_CONFIG_DIR || `${own}/.claude`}/settings.json`
  return [
    {
      name,
      status: 'warning',
      detail: `commands in Claude Code’s sandbox cannot write ${home.root}: ${[...new Set(closed.map(({ by }) => by))].join(', ')}`,
      hint: denied.length
        ? `remove it from sandbox.filesystem.denyWrite in ${denied.join(', ')}`
        : `add to ${file}: ${setting}`,
    },
  ]
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
