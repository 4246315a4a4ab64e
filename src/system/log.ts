import { renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isErrno } from './errno.ts'
import { appendLine, makeDirectory } from './files.ts'

/** A log begins anew at this size, with the one before kept as `<path>.1`: at most twice this on disk. */
const MAX_BYTES = 128 * 1024

/** Appends one line, with its time, to a log of bounded size. Never throws: a log must not stop what it tells of. */
export function logLine(path: string, text: string): void {
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(path, `${path}.1`)
    append(path, `${new Date().toISOString()} ${text.replaceAll('\n', ' ')}`)
  } catch {
    // Nowhere is left to tell it.
  }
}

function append(path: string, line: string): void {
  try {
    appendLine(path, line)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    makeDirectory(dirname(path))
    appendLine(path, line)
  }
}
