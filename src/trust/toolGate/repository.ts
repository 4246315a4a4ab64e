import { realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isThere } from '../../system/files.ts'
import { look } from './look.ts'

/**
 * What git looks for in a directory: that of a repository, or its file. One with a `HEAD` may be a
 * repository by itself, made of plain files.
 */
const MARKS = ['.git', 'HEAD']

/**
 * Whether git, run in `directory` as seen from `from`, obeys the repository of `root` or none:
 * nothing that it could take for another one lies there, or above. What cannot be looked at might
 * be one.
 */
export function sharesRepository(
  directory: string,
  from: string | undefined,
  root: string | undefined,
  nearest = nearestMarked,
): boolean {
  if (from === undefined) return false
  const there = nearest(resolve(from, directory))
  return there === 'none' || (there !== undefined && root !== undefined && there === nearest(root))
}

/**
 * The nearest directory upwards, this one included, that git could take for a repository; undefined
 * where that cannot be told.
 */
export function nearestMarked(directory: string): string | undefined {
  return look(() => {
    // Git does not see symbolic links on its way up.
    let at = realpathSync(directory)
    while (!MARKS.some((mark) => isThereAtOnce(`${at}/${mark}`))) {
      if (dirname(at) === at) return 'none'
      at = dirname(at)
    }
    return at
  })
}

/** A link that leads nowhere counts. Most marks are there, and are seen by what a hook has used. */
function isThereAtOnce(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined || isThere(path)
}
