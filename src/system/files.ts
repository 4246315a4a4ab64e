import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isErrno, unless } from './errno.ts'

/** Writes a new file of mode 0600, and waits for the disk. On failure it is not there. */
export function writeNewFile(path: string, text: string | Buffer): void {
  const fd = openSync(path, 'wx', 0o600)
  try {
    writeAll(fd, typeof text === 'string' ? Buffer.from(text) : text)
    fsyncSync(fd)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
}

/**
 * Replaces a file as one step: a reader sees the old text or the new one. The disk has it when this
 * returns. `onWritten` is called when the new text is on the disk under a temporary name; where it
 * throws, nothing is replaced.
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

/** As `replaceFile`, not waiting for the disk. False where `mayReplace` says no at the end. */
export function replaceFileSoon(
  path: string,
  text: string,
  mayReplace: () => boolean = () => true,
): boolean {
  const temporary = `${path}.${process.pid}.tmp`
  let replaced = false
  try {
    writeFileSync(temporary, text, { mode: 0o600 })
    if (mayReplace()) {
      renameSync(temporary, path)
      replaced = true
    }
  } finally {
    if (!replaced) removeFile(temporary)
  }
  return replaced
}

/** Waits until the disk has the names in a directory, where the disk can be asked for that. */
export function syncDirectory(path: string): void {
  const fd = openSync(path, 'r')
  try {
    unless(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'], () => fsyncSync(fd))
  } finally {
    closeSync(fd)
  }
}

/** How this process left a file: while it is so, its last line is whole. */
let appended: { path: string; ino: number; size: number } | undefined

/** Appends one line in one write. A line that an earlier crash left open is closed first. */
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
 * Writes nothing over an empty file, so that whoever watches it is told, and gives its time then,
 * in milliseconds. Where that changes nothing for the disk (exFAT by FUSE), the file is given its
 * new time.
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
  return unless(['ENOENT'], () => openSync(path, 'r'))
}

/** The whole of a plain file, or undefined without one. Follows no link, waits for no pipe. */
export function readPlainFile(
  path: string,
  maxBytes: number,
): Buffer | 'not a file' | 'too long' | undefined {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  let fd: number | undefined
  try {
    fd = unless(['ENOENT'], () => openSync(path, flags))
    if (fd === undefined) return undefined
    const stat = fstatSync(fd)
    if (!stat.isFile()) return 'not a file'
    return stat.size > maxBytes ? 'too long' : readAll(fd, stat.size)
  } catch (error) {
    if (isErrno(error, 'ELOOP', 'ENXIO')) return 'not a file'
    throw error
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** Removes a file, if it is there, in one call: `rmSync` makes three, and loads more code. */
export function removeFile(path: string): void {
  unless(['ENOENT'], () => unlinkSync(path))
}

/**
 * Whether there is something, a link that leads nowhere too. Node takes five times as long to make
 * the error of one that is missing.
 */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** `path`, or the nearest above it that is there, and that this user can see. */
export function nearestThere(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path))
}

/** Whether `link(2)` failed because the disk has no hard links, or no more for this file. */
export function hasNoLinks(error: unknown): boolean {
  return isErrno(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK')
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

/** Node's own recursion answers ENOENT on a read-only disk; one step at a time tells the truth. */
function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

function readAll(fd: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size)
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
  return unless(['ENOENT'], () => readdirSync(path)) ?? []
}

/** As `namesIn`, with what each of them is. */
export function entriesIn(path: string): Dirent[] {
  return unless(['ENOENT'], () => readdirSync(path, { withFileTypes: true })) ?? []
}

/** A look at a file that follows no link; undefined where it is gone. */
export function lookAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}
