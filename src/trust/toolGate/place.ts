import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isErrno } from '../../system/errno.ts'
import { isThere, namesIn } from '../../system/files.ts'
import type { Place } from '../shell/place.ts'
import { holdsGitlinks } from './gitlinks.ts'
import { look } from './look.ts'
import { nearestMarked, sharesRepository } from './repository.ts'

/**
 * What the file system tells about the place where a command is to run. `from`: the directory where
 * it begins; `root`: where the session was started. What cannot be looked at counts as what it
 * might be at worst.
 */
export function placeAt(
  from: string | undefined,
  root: string | undefined,
  env: NodeJS.ProcessEnv,
): Place {
  const real = (directory: string | undefined) =>
    directory === undefined ? undefined : look(() => realpathSync(directory))
  const seen = new Map<string, string | undefined>()
  const nearest = (directory: string) => {
    if (!seen.has(directory)) seen.set(directory, nearestMarked(directory))
    return seen.get(directory)
  }
  return {
    // A shell goes up by names, and git by what they are links to.
    isOwn: (directory) =>
      isNowhere(directory) ||
      ((!(directory === '..' || directory.startsWith('../')) || real(from) === from) &&
        sharesRepository(directory, from, root, nearest)),
    holdsOthers: (directory) =>
      !isNowhere(directory) &&
      (from === undefined || holdsGitlinks(resolve(from, directory), nearest)),
    holdsOptions: (directory) =>
      from === undefined ||
      (look(() => namesIn(resolve(from, directory))) ?? []).some((name) => name.startsWith('-')),
    isPlain: (path) => from === undefined || isPlain(resolve(from, path)),
    isRoot: (directory) =>
      from !== undefined &&
      real(root) !== undefined &&
      real(resolve(from, directory)) === real(root),
    finds: (name, text) =>
      root === undefined || above(root, env.HOME).some((at) => has(join(at, name), text)),
    isSet: (name) => [env[name], env[`${name}_OF_COMMANDS`]].some(saysMore),
    isNowhere,
    cdIsPlain: !env.CDPATH,
    home: env.HOME?.startsWith('/') ? env.HOME : undefined,
  }
}

/** A directory and those above it, but not the home and what is above that. */
function above(directory: string, home: string | undefined): string[] {
  const all = []
  for (let at = directory; at !== home; at = dirname(at)) {
    all.push(at)
    if (dirname(at) === at) break
  }
  return all
}

/** Whether a file is there and has that in it, or cannot be read. */
function has(path: string, text: RegExp): boolean {
  try {
    return text.test(readFileSync(path, 'utf8'))
  } catch (error) {
    return !isErrno(error, 'ENOENT', 'ENOTDIR')
  }
}

/** Whether a directory is not there, wherever the command begins: nothing runs in it. */
function isNowhere(directory: string): boolean {
  if (!directory.startsWith('/')) return false
  return look(() => isThere(directory)) === false
}

/** Whether a variable says something; how much memory there may be runs nothing. */
function saysMore(value: string | undefined): boolean {
  return !/^(\s*--max[-_]old[-_]space[-_]size=\d+)*\s*$/.test(value ?? '')
}

/** Whether reading ends: what is not there ends at once. */
function isPlain(path: string): boolean {
  const is = look(() => statSync(path))
  return is === undefined || is.isFile() || is.isDirectory() || path === '/dev/null'
}
