import { existsSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isErrno } from '../system/errno.ts'
import { copyFile } from '../system/files.ts'
import { ownPid } from '../system/user.ts'

/** What `link(2)` and its kin answer where a disk has no hard links, or no more of them for this file. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK']

/** Gives a finished file its name, unless that name is taken: then false, and nothing changed. `temporary` may remain. */
export function publish(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    if (!isErrno(error, ...NO_LINKS)) throw error
    return publishByRename(temporary, path)
  }
}

/** Puts a published file under a second name: a link, or a copy where the disk has none. A reader never sees half of it. */
export function linkOrCopy(path: string, second: string): void {
  try {
    linkSync(path, second)
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return
    if (!isErrno(error, ...NO_LINKS)) throw error
    const temporary = join(dirname(second), `.${basename(second)}.${ownPid()}.tmp`)
    copyFile(path, temporary)
    renameSync(temporary, second)
  }
}

/** A rename would replace what is there, so the name is claimed first by a file that only one process can create. */
function publishByRename(temporary: string, path: string): boolean {
  const claim = join(dirname(path), `.${basename(path)}.claim`)
  try {
    writeFileSync(claim, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
  try {
    if (existsSync(path)) return false
    renameSync(temporary, path)
    return true
  } finally {
    rmSync(claim, { force: true })
  }
}
