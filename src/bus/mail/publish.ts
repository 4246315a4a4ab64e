import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isErrno, unless } from '../../system/errno.ts'
import { hasNoLinks, removeFile, writeNewFile } from '../../system/files.ts'
import { ownPid } from '../../system/user.ts'

/** Gives a finished file its name; false where that is taken. The temporary file may remain. */
export function publish(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    if (!hasNoLinks(error)) throw error
    return publishByRename(temporary, path)
  }
}

/** Gives a published file a second name: a link, or a copy, which no reader sees half of. */
export function linkOrCopy(path: string, second: string): void {
  try {
    linkSync(path, second)
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return
    if (!hasNoLinks(error)) throw error
    const temporary = join(dirname(second), `.${basename(second)}.${ownPid()}.tmp`)
    removeFile(temporary)
    writeNewFile(temporary, readFileSync(path))
    renameSync(temporary, second)
  }
}

/** A rename would replace a file, so one that only one process can create claims the name first. */
function publishByRename(temporary: string, path: string): boolean {
  const claim = join(dirname(path), `.${basename(path)}.claim`)
  const make = () => {
    writeFileSync(claim, '', { flag: 'wx', mode: 0o600 })
    return true
  }
  if (!unless(['EEXIST'], make)) return false
  try {
    if (existsSync(path)) return false
    renameSync(temporary, path)
    return true
  } finally {
    rmSync(claim, { force: true })
  }
}
