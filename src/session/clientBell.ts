import { statSync, writeFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Home } from '../bus/home.ts'
import { environmentOf } from '../system/commandLine.ts'
import { unless } from '../system/errno.ts'
import { makeDirectory, namesIn, replaceFileSoon } from '../system/files.ts'
import { fieldOf, readJson } from '../system/json.ts'
import type { ProcessRef } from '../system/processes.ts'
import { userHome } from '../system/user.ts'

/**
 * Claude Code takes up a list of directories to watch only where it is another than before
 * (2.1.329). So its bell has two sides, of which it watches one.
 */
const SIDES = ['a', 'b'] as const
type Side = (typeof SIDES)[number]

/**
 * What a Claude Code was last told to watch: directories of a home, by their identity, and one side
 * of its bell. `started` is of its process.
 */
type Watched = { started: string; home: string; directories: string[]; side: Side }

/**
 * What a client that watches its bell hears of a home: `all`, `later` (once its bell has rung), or
 * nothing, since its hooks look into another home.
 */
type Hears = 'all' | 'later' | { otherHome: string }

/**
 * The bell of one Claude Code, in the directory that Claude Code gives the plugin: it is there
 * before a home is, and stays when that goes. Ringing it has the client's hooks look at the home;
 * nothing in it is read to anybody. Undefined without such a directory.
 */
export function clientBell(data: string | undefined, { pid }: ProcessRef): string | undefined {
  return data && isAbsolute(data) ? `${data}/bells/${pid}` : undefined
}

/**
 * The bell of a Claude Code, as a command of its agent finds it: below the configuration that the
 * client was started with, since a project's settings may name another one to its commands.
 */
export function findClientBell(client: ProcessRef, env: NodeJS.ProcessEnv): string | undefined {
  const own = environmentOf(client.pid) ?? env
  const data = `${own.CLAUDE_CONFIG_DIR || `${userHome(own)}/.claude`}/plugins/data`
  const plugins = unless(['EACCES', 'ENOTDIR'], () => namesIn(data)) ?? []
  return plugins
    .map((plugin) => clientBell(`${data}/${plugin}`, client))
    .find((bell) => bell !== undefined && readWatched(bell, client) !== undefined)
}

/** Whether a file tells that this bell was rung. */
export function isOnBell(bell: string, file: string): boolean {
  return SIDES.some((side) => file.startsWith(`${bell}/${side}/`))
}

/** A client that has not heard so many rings hears none. */
const MOST_RINGS = 64

/** Rings a client's bell. Each ring is a file of its own, so that none is written over. */
export function ringClient(bell: string, now: number): void {
  for (const side of SIDES.filter((one) => namesIn(`${bell}/${one}`).length < MOST_RINGS))
    unless(['EEXIST', 'ENOENT', 'EACCES', 'EROFS'], () =>
      writeFileSync(`${bell}/${side}/${now}`, '', { flag: 'wx', mode: 0o600 }),
    )
}

/**
 * The side of its bell that a client is to watch beside these directories of its home: the other
 * one where it does not watch them yet. Notes that it does. Throws where the bell cannot be made.
 */
export function sideToWatch(
  bell: string,
  client: ProcessRef,
  { root: home }: Pick<Home, 'root'>,
  paths: readonly string[],
): string {
  const before = readWatched(bell, client)
  const directories = identitiesOf(paths)
  const isNew = !directories.every((one) => before?.directories.includes(one))
  const side = before && (before.side === 'a') === isNew ? 'b' : 'a'
  for (const one of SIDES) makeDirectory(`${bell}/${one}`)
  const watched: Watched = { started: client.started, home, directories, side }
  replaceFileSoon(`${bell}/watched.json`, `${JSON.stringify(watched)}\n`)
  return `${bell}/${side}`
}

/** What a client hears of these directories of a home; undefined where it watches no bell. */
export function hearsOf(
  bell: string,
  client: ProcessRef,
  { root }: Pick<Home, 'root'>,
  paths: readonly string[],
): Hears | undefined {
  const watched = readWatched(bell, client)
  if (!watched) return undefined
  const isSame =
    watched.home === root || identitiesOf([watched.home])[0] === identitiesOf([root])[0]
  if (!isSame) return { otherHome: watched.home }
  const now = identitiesOf(paths)
  const all = now.length === paths.length && now.every((one) => watched.directories.includes(one))
  return all ? 'all' : 'later'
}

function readWatched(bell: string, { started }: ProcessRef): Watched | undefined {
  const said = unless(['EACCES', 'ENOTDIR', 'EISDIR'], () => readJson(`${bell}/watched.json`))
  if (fieldOf(said, 'started') !== started) return undefined
  const { home, directories, side } = said as Partial<Watched>
  const isWhole = typeof home === 'string' && Array.isArray(directories) && side !== undefined
  return isWhole ? { started, home, directories, side } : undefined
}

/** Of those that are there: one that was made again is another, whatever its number. */
function identitiesOf(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found ? `${found.dev}:${found.ino}:${found.birthtimeMs}` : []
  })
}
