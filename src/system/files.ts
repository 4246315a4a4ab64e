import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isErrno } from './errno.ts'

/** Writes a file of mode 0600 that must not exist yet, and waits until the disk has it. On failure nothing is left behind. */
export function writeNewFile(path: string, text: string): void {
  const fd = openSync(path, 'wx', 0o600)
  try {
    writeAll(fd, Buffer.from(text))
    fsyncSync(fd)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
}

/**
 * Replaces a file as one step: a reader sees the old text or the new one. The disk has it when this returns. `onWritten` is called
 * when the new text is on the disk under a temporary name; where it throws, nothing is replaced.
 */
export function replaceFile(path: string, text: string, onWritten: () => void = () => {}): void {
  const temporary = `${path}.${process.pid}.tmp`
  rmSync(temporary, { force: true })
  writeNewFile(temporary, text)
  try {
    onWritten()
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncDirectory(dirname(path))
}

/** As `replaceFile`, for what can be made again: not waiting for the disk. False where `mayReplace`, asked at the last moment, says no. */
export function replaceFileSoon(path: string, text: string, mayReplace: () => boolean = () => true): boolean {
  const temporary = `${path}.${process.pid}.tmp`
  const fd = openSync(temporary, 'w', 0o600)
  try {
    writeAll(fd, Buffer.from(text))
  } finally {
    closeSync(fd)
  }
  const may = mayReplace()
  if (may) renameSync(temporary, path)
  else removeFile(temporary)
  return may
}

/** Copies a file under a name that is not looked at yet, and waits until the disk has it. On failure nothing is left behind. */
export function copyFile(path: string, copy: string): void {
  try {
    copyFileSync(path, copy)
    const fd = openSync(copy, 'r+')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    rmSync(copy, { force: true })
    throw error
  }
}

/** Waits until the disk has the names in a directory. Some network disks cannot be asked for that; they are not waited for. */
export function syncDirectory(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } catch (error) {
    if (!isErrno(error, 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP')) throw error
  } finally {
    closeSync(fd)
  }
}

/** How a file was when this process had appended to it: while it is so, its last line is whole, and need not be looked at. */
let appended: { path: string; ino: number; size: number } | undefined

/** Appends one line (without its newline) in one write. A line that an earlier crash left open is closed first. */
export function appendLine(path: string, line: string): void {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600)
  try {
    const { size, ino } = fstatSync(fd)
    const whole = appended?.path === path && appended.ino === ino && appended.size === size
    const bytes = Buffer.from(`${whole || !endsOpen(fd, size) ? '' : '\n'}${line}\n`)
    writeAll(fd, bytes)
    // Should another process have written in between, the file is longer than this.
    appended = { path, ino, size: size + bytes.length }
  } finally {
    closeSync(fd)
  }
}

function endsOpen(fd: number, size: number): boolean {
  const last = Buffer.alloc(1)
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a
}

/**
 * Writes nothing over an empty file, so that whoever watches it is told, and gives its time then, in milliseconds. Where that changes nothing for the disk (exFAT
 * by FUSE), the file is given its new time.
 */
export function rewriteEmpty(path: string): number {
  const before = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  const fd = openSync(path, 'w', 0o600)
  try {
    const { mtimeMs } = fstatSync(fd)
    if (mtimeMs !== before) return mtimeMs
    const now = new Date()
    futimesSync(fd, now, now)
    return fstatSync(fd).mtimeMs
  } finally {
    closeSync(fd)
  }
}

/** Opens a file to read; undefined where there is none. */
export function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The whole of a plain file, or undefined where there is none. Never follows a link, never waits for a pipe. */
export function readPlainFile(path: string, maxBytes: number): Buffer | 'not a file' | 'too long' | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    if (isErrno(error, 'ELOOP', 'ENXIO')) return 'not a file'
    throw error
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) return 'not a file'
    return stat.size > maxBytes ? 'too long' : readAll(fd, stat.size)
  } finally {
    closeSync(fd)
  }
}

/** Removes a file, if it is there, in one call: `rmSync` looks at it twice first, and loads what removes a tree. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
}

/** `path`, or the nearest above it that this user can see: where it stands, or where it would have to be made. */
export function nearestThere(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path))
}

/** Makes a directory, and those above it, that only this user can read. */
export function makeDirectory(path: string): void {
  // It is nearly always there, and a `mkdir` that fails costs an exception.
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  try {
    makeOne(path)
  } catch (error) {
    if (!isErrno(error, 'ENOENT') || dirname(path) === path) throw error
    makeDirectory(dirname(path))
    makeOne(path)
  }
}

/** Node's own recursion answers ENOENT where a disk is read-only; one step at a time gives the true reason. */
function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

function readAll(fd: number, size: number): Buffer {
  const buffer = Buffer.alloc(size)
  let filled = 0
  while (filled < size) {
    const count = readSync(fd, buffer, filled, size - filled, filled)
    if (count === 0) break
    filled += count
  }
  return buffer.subarray(0, filled)
}

/** Writes all of a buffer to a file that is open. */
export function writeAll(fd: number, buffer: Buffer): void {
  let written = 0
  while (written < buffer.length) written += writeSync(fd, buffer, written)
}

/** The names in a directory, in no order; none where there is no such directory. */
export function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}
