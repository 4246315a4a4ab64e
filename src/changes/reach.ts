import { basename, dirname, join, resolve } from 'node:path'
import { unless } from '../system/errno.ts'
import { lookAt } from '../system/files.ts'
import { ANY } from '../trust/shell/commands.ts'
import type { Sweep } from '../trust/shell/gitSweeps.ts'
import { realFile, treeOf, UNSEEN } from './tree.ts'

/** A shell's `*` ends at a slash; git's own does not, and is `ANY` here. */
const WILD = /[\0*?[\]{}]/
const SIGNS = /\[[^\]/]*\]?|\{[^}]*\}?|[\0*?\]}]+|[.+^$()|\\]/g
/** Behind so many wildcards anything fits, or the search would take too long. */
const MOST_WILD = 8

/**
 * Where a path of a command is: `top` itself, or below it, where it has wildcards: of names in one
 * folder, or of any path. `holds`: whether a file is it, or below it.
 */
export type Reach = {
  top: string
  wild: 'no' | 'names' | 'paths'
  holds: (file: string) => boolean
}

/** Where a command runs: of a directory that is only known then, as far as that is known. */
export function startOf(directory: string, cwd: string): string {
  const [known = ''] = directory.split(ANY)
  return realFile(resolve(cwd, known))
}

/**
 * What a command takes changes from, as seen from a directory: its paths, `all` for the tree around
 * it. What is no path is a branch, where it may be one.
 */
export function reachesOf(
  { paths, orBranch }: Pick<Sweep, 'paths' | 'orBranch'>,
  from: string,
): Reach[] | 'all' {
  if (paths === 'all') return paths
  const reaches = paths.map((path) => reachOf(path, from))
  const isThere = ({ top }: Reach) => unless(UNSEEN, () => lookAt(top)) !== undefined
  return orBranch && !reaches.every(isThere) ? 'all' : reaches
}

/** What a path reaches that is without links, and plain. */
export function reachAt(top: string): Reach {
  const below = top === '/' ? top : `${top}/`
  return { top, wild: 'no', holds: (file) => file === top || file.startsWith(below) }
}

function reachOf(path: string, from: string): Reach {
  if (path.startsWith(ANY)) {
    // It may be an absolute path as well; what is looked for is in the tree around.
    const around = reachAt(treeOf(from)?.tree ?? from)
    const isLike = likeOf(path)
    return { ...around, wild: 'paths', holds: (file) => around.holds(file) && isLike(file) }
  }
  const whole = withoutLinks(resolve(from, path), /(?:^|\/)\.{0,2}$/.test(path))
  const begin = whole.search(WILD)
  if (begin < 0) return reachAt(whole)
  const wild = /[\0[\]{}]/.test(whole) ? 'paths' : 'names'
  return { top: dirname(`${whole.slice(0, begin)}x`), wild, holds: likeOf(whole) }
}

/** A path without links; one that is a link is taken away itself, not what it names. */
function withoutLinks(path: string, isDirectory: boolean): string {
  const above = dirname(path)
  return isDirectory || above === path ? realFile(path) : join(realFile(above), basename(path))
}

function likeOf(pattern: string): Reach['holds'] {
  let wild = 0
  const like = pattern.replace(SIGNS, (signs) => {
    if (!WILD.test(signs)) return `\\${signs}`
    wild += 1
    return /^[*?]+$/.test(signs) ? '[^/]*' : '[\\s\\S]*'
  })
  const parts = like.split('*')
  const whole = new RegExp(
    wild > MOST_WILD ? `^${parts.slice(0, MOST_WILD).join('*')}*` : `^${like}(?:/|$)`,
  )
  return (file) => whole.test(file)
}
