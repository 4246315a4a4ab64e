import { renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { making } from './errno.ts'
import { appendLine, makeDirectory } from './files.ts'

/** A log begins anew at this size; the one before is `<path>.1`: at most twice this on disk. */
const MAX_BYTES = 128 * 1024

/** Appends a line, with its time, to a log of bounded size. Never throws: it only tells. */
export function logLine(path: string, text: string): void {
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES)
      renameSync(path, `${path}.1`)
    const line = `${new Date().toISOString()} ${text.replaceAll('\n', ' ')}`
    making(
      () => makeDirectory(dirname(path)),
      () => appendLine(path, line),
    )
  } catch {
    // Nowhere is left to tell it.
  }
}
