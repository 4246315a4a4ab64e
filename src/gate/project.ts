import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { look } from './look.ts'

/**
 * Whether a file is plainly one of the project's: below `root` once every link is followed, with
 * one name only, and none that programs obey. Names that begin with a dot are such (`.git`,
 * `.claude`,
 * `.npmrc`, `.envrc`), and so are git's own files under another name. `home`: where agent-chat
 * keeps its files. What cannot be looked at is not inside.
 */
export function isInProject(
  path: string,
  { cwd, root, home }: { cwd: string | undefined; root: string | undefined; home: string },
): boolean {
  const top = look(() => realpathSync(root ?? ''))
  if (!root?.startsWith('/') || top === undefined || top === '/' || path.includes('\0'))
    return false
  if (cwd === undefined && !path.startsWith('/')) return false
  const real = realPath(resolve(cwd ?? '/', path))
  if (real === undefined || !isBelow(real, top) || isBelow(real, realPath(home) ?? home))
    return false
  const parts = relative(top, real).split('/')
  if (parts.some((part) => part.startsWith('.') || /^rust-toolchain/i.test(part))) return false
  return !parts.some((_, depth) => isGitDirectory(join(top, ...parts.slice(0, depth))))
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

function isGitDirectory(directory: string): boolean {
  return existsSync(join(directory, 'HEAD')) && existsSync(join(directory, 'config'))
}
