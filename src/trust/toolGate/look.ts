import { unless } from '../../system/errno.ts'

const NOT_TO_BE_SEEN = [
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'ELOOP',
  'ENAMETOOLONG',
  'ERR_INVALID_ARG_VALUE',
]

/** What a look at a path tells; undefined where the path cannot be looked at. */
export function look<T>(at: () => T): T | undefined {
  return unless(NOT_TO_BE_SEEN, at)
}
