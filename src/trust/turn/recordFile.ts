import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { isErrno } from '../../system/errno.ts'

/** What is read at first: enough for what was said since a prompt that began a moment ago. */
export const TAIL_BYTES = 64 * 1024

/** Where a line is longer, or more has followed it, so many times as much is read. */
const GROWS = 8

/** How far a record was read: which file it is, whatever its name, and the end of a line in it. */
export type Read = { ino: number; at: number }

/** Looks for something in bytes of a file; `end`: of the last whole line in them. */
type Find<T> = (bytes: Buffer, isWhole: boolean, end: Read) => T

/** What is found at the end of a file, of which more and more is read, up to so many bytes. */
export function grown<T>(path: string, most: number, find: Find<T | undefined>): T | undefined {
  for (let bytes = TAIL_BYTES; ; bytes *= GROWS) {
    let whole = true
    const found = tailOf(path, bytes, (tail, isWhole, end) => {
      whole = isWhole
      return find(tail, isWhole, end)
    })
    if (found !== undefined || whole || bytes >= most) return found
  }
}

export function tailOf<T>(path: string, bytes: number, find: Find<T>): T | undefined {
  return partOf(path, ({ size }) => Math.max(0, size - bytes), find)
}

/** What is found in a file from where it should be read on; undefined where it should not. */
export function partOf<T>(
  path: string,
  begin: (file: Stats) => number | undefined,
  find: Find<T>,
): T | undefined {
  const fd = openOrUndefined(path)
  if (fd === undefined) return undefined
  try {
    const file = fstatSync(fd)
    const from = begin(file)
    if (from === undefined) return undefined
    const room = Buffer.allocUnsafe(file.size - from)
    const bytes = room.subarray(0, readSync(fd, room, 0, room.length, from))
    return find(bytes, from === 0, { ino: file.ino, at: from + bytes.lastIndexOf(0x0a) + 1 })
  } finally {
    closeSync(fd)
  }
}

function openOrUndefined(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return undefined
    throw error
  }
}
