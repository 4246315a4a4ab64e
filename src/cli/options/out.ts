import { CodedError } from '../../errors.ts'
import { isErrno } from '../../system/errno.ts'
import { beginFile, type NewFile } from '../../system/newFile.ts'

/** Errors of the disk, and those of the path that was given. */
const DISK = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EFBIG']
const PATH = 'ENOENT ENOTDIR EISDIR EEXIST EACCES EPERM ENAMETOOLONG ELOOP'.split(' ')

/**
 * The file that `--out` names, as `beginFile()`, for `what` is written. Throws `USAGE` for a path
 * that cannot be one, `FAULT` for a disk that is full.
 */
export function outFile(path: string, what: string): NewFile {
  const attempt = <T>(act: () => T): T => {
    try {
      return act()
    } catch (error) {
      throw outError(path, what, error)
    }
  }
  const file = attempt(() => beginFile(path))
  return {
    write: (text) => attempt(() => file.write(text)),
    finish: () => attempt(file.finish),
    drop: file.drop,
  }
}

function outError(path: string, what: string, cause: unknown): unknown {
  if (isErrno(cause, ...DISK)) {
    return new CodedError('FAULT', `the ${what} could not be written to ${path} (${cause.code})`, {
      hint: 'free some space, or choose another file with --out; no partial file is left',
      cause,
    })
  }
  if (!isErrno(cause, ...PATH)) return cause
  const why = cause.code === 'EEXIST' ? 'it is not a plain file' : cause.code
  return new CodedError('USAGE', `the ${what} cannot be written to ${path} (${why})`, {
    hint: 'name a file in a directory where you can write, or leave out --out to print it',
    cause,
  })
}
