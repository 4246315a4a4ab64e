import { closeSync, fsyncSync, openSync, realpathSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { unless } from './errno.ts'
import { removeFile, syncDirectory, writeAll } from './files.ts'

/** A file of mode 0600, written piece by piece. `finish` makes it whole, `drop` leaves nothing. */
export type NewFile = { write: (text: string) => void; finish: () => void; drop: () => void }

/**
 * Begins a file under a temporary name beside `path`. `finish` gives it its name and waits for the
 * disk, in the place of a plain file that has it, or that a link of this name leads to. Throws
 * `EEXIST` where something else has it, a device for example.
 */
export function beginFile(path: string): NewFile {
  const target = targetOf(path)
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`)
  removeFile(temporary)
  const fd = openSync(temporary, 'wx', 0o600)
  let open = true
  const close = () => {
    if (open) closeSync(fd)
    open = false
  }
  return {
    write: (text) => writeAll(fd, Buffer.from(text)),
    finish: () => {
      fsyncSync(fd)
      close()
      renameSync(temporary, target)
      syncDirectory(dirname(target))
    },
    drop: () => {
      close()
      removeFile(temporary)
    },
  }
}

function targetOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return path
  if (stat.isFile()) return unless(['ENOENT'], () => realpathSync(path)) ?? path
  throw Object.assign(new Error(`EEXIST: not a plain file, ${path}`), {
    code: stat.isDirectory() ? 'EISDIR' : 'EEXIST',
  })
}
