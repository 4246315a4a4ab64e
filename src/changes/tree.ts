import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { unless } from '../system/errno.ts'

/**
 * A working tree of git, and the repository that it shares with others: `tree` is its top, `common`
 * git's common directory, both real paths.
 */
export type Tree = { tree: string; common: string }

/** Codes of a path that cannot be seen, or is none. */
export const UNSEEN = [
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'ELOOP',
  'ENAMETOOLONG',
  'ERR_INVALID_ARG_VALUE',
]

/**
 * The working tree around a path, which need not be there yet; undefined outside of a repository,
 * and where it cannot be seen.
 */
export function treeOf(path: string): Tree | undefined {
  return unless(UNSEEN, () => {
    for (let at = realDirectory(path); ; at = dirname(at)) {
      const mark = `${at}/.git`
      const is = statSync(mark, { throwIfNoEntry: false })
      if (is?.isDirectory()) return { tree: at, common: realpathSync.native(mark) }
      if (is?.isFile()) return { tree: at, common: commonOf(at, readFileSync(mark, 'utf8')) }
      if (dirname(at) === at) return undefined
    }
  })
}

/** A path without links: of a file that is not there yet, from the nearest folder above that is. */
export function realFile(path: string): string {
  const real = unless(UNSEEN, () => realpathSync.native(path))
  if (real !== undefined || dirname(path) === path) return real ?? path
  return resolve(realFile(dirname(path)), path.slice(dirname(path).length).replace(/^\/+/, ''))
}

function realDirectory(path: string): string {
  const real = realFile(path)
  return statSync(real, { throwIfNoEntry: false })?.isDirectory() ? real : dirname(real)
}

/**
 * gitrepository-layout(5): a linked tree's file names its folder, and `commondir` there the shared
 * one. A submodule has a repository in each of the trees: they count as one.
 */
function commonOf(tree: string, mark: string): string {
  const own = resolve(tree, /^gitdir: ([^\n]+)/.exec(mark)?.[1] ?? '.git')
  const shared = unless(UNSEEN, () => readFileSync(`${own}/commondir`, 'utf8').trim())
  const common = realpathSync.native(shared === undefined ? own : resolve(own, shared))
  return common.replace(/\/worktrees\/[^/]+(?=\/modules\/)/g, '')
}
