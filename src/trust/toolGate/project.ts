import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { look } from './look.ts'

/** Where an edit is made; see `Here`. */
type Surroundings = {
  cwd: string | undefined
  root: string | undefined
  home: string
  env: NodeJS.ProcessEnv
}

/**
 * Names that programs obey without being asked: whatever begins with a dot (`.git`, `.claude`,
 * `.npmrc`), `rust-toolchain`, what agents read at their start, and the `HEAD` that makes a folder
 * a repository to git, whose configuration runs programs.
 */
const OBEYED = /^(\..*|rust-toolchain.*|HEAD|(CLAUDE|AGENTS|GEMINI|QWEN)(\.local)?\.md)$/i

/**
 * Whether a file is plainly one of the project's: below `root` once every link is followed, with
 * one name only, none that programs obey, and outside of the folders of PATH. `home`: where
 * agent-chat keeps its files. What cannot be looked at is not inside, nor is a path that the host
 * may read in another way.
 */
export function isInProject(path: string, { cwd, root, home, env }: Surroundings): boolean {
  const top = look(() => realpathSync(root ?? ''))
  if (!root?.startsWith('/') || top === undefined || top === '/' || !isPlainText(path)) return false
  if (cwd === undefined && !path.startsWith('/')) return false
  const real = realPath(resolve(cwd ?? '/', path))
  if (real === undefined || !isBelow(real, top) || isBelow(real, realPath(home) ?? home))
    return false
  const parts = relative(top, real).split('/')
  if (parts.some((part) => OBEYED.test(part))) return false
  if (parts.some((_, depth) => existsSync(join(top, ...parts.slice(0, depth), 'HEAD'))))
    return false
  return !(env.PATH ?? '').split(':').some((folder) => isInstalled(real, resolve('/', folder), top))
}

/** Claude Code takes blanks off a path, puts the home for `~`, and composes letters. */
function isPlainText(path: string): boolean {
  return !/^~|\0/.test(path) && path === path.trim() && path === path.normalize('NFC')
}

/**
 * Whether a file is among the programs in a folder of PATH, or belongs to them: below the folder
 * around it, where that is a part of the project (`venv/bin`, `node_modules/.bin`).
 */
function isInstalled(real: string, folder: string, top: string): boolean {
  const programs = realPath(folder)
  if (programs === undefined) return false
  const around = dirname(programs)
  return dirname(real) === programs || (isBelow(around, top) && isBelow(real, around))
}

/** Where a file is, or would be made. A link that leads nowhere may lead anywhere. */
function realPath(path: string): string | undefined {
  const is = look(() => lstatSync(path, { throwIfNoEntry: false }) ?? null)
  if (is === undefined) return undefined
  if (is === null) {
    const parent = dirname(path) === path ? undefined : realPath(dirname(path))
    return parent === undefined ? undefined : join(parent, basename(path))
  }
  if (is.isFile() && is.nlink > 1) return undefined
  if (!is.isFile() && !is.isDirectory() && !is.isSymbolicLink()) return undefined
  const real = look(() => realpathSync(path))
  return real === undefined || !is.isSymbolicLink() ? real : realPath(real)
}

function isBelow(path: string, top: string): boolean {
  return path.startsWith(`${top}/`)
}
