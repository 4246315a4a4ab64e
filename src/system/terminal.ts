import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { isErrno } from './errno.ts'

/** Whether this descriptor is a terminal. A look at its kind comes first: loading `node:tty` costs a start-up that a pipe need not pay. */
export async function isTerminal(fd: number): Promise<boolean> {
  try {
    if (!fstatSync(fd).isCharacterDevice()) return false
  } catch (error) {
    if (isErrno(error, 'EBADF')) return false
    throw error
  }
  return (await import('node:tty')).isatty(fd)
}

/**
 * Writes text and returns when the system has accepted all of it; throws `EPIPE` where nobody reads any more. `process.stdout` would do
 * the same, a tenth of a start-up later.
 */
export function writeOut(fd: number, text: string): void {
  const buffer = Buffer.from(text)
  for (let written = 0; written < buffer.length; ) {
    try {
      written += writeSync(fd, buffer, written)
    } catch (error) {
      // Another process may have made a shared pipe non-blocking; it is full now and will not stay so.
      if (!isErrno(error, 'EAGAIN')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/** All of standard input, but not more than one byte beyond `maxBytes`: the caller tells too much from enough. */
export function readStdin(maxBytes: number): Buffer {
  return readUpTo(0, maxBytes)
}

/** As `readStdin`, of a file, pipe or device. */
export function readFile(path: string, maxBytes: number): Buffer {
  const fd = openSync(path, 'r')
  try {
    return readUpTo(fd, maxBytes)
  } finally {
    closeSync(fd)
  }
}

function readUpTo(fd: number, maxBytes: number): Buffer {
  const chunks: Buffer[] = []
  let size = 0
  while (size <= maxBytes) {
    const chunk = Buffer.allocUnsafe(Math.min(64 * 1024, maxBytes + 1 - size))
    const count = readSome(fd, chunk)
    if (count === 0) break
    chunks.push(chunk.subarray(0, count))
    size += count
  }
  const [only] = chunks
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks)
}

function readSome(fd: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(fd, chunk)
    } catch (error) {
      if (isErrno(error, 'EOF')) return 0
      if (!isErrno(error, 'EAGAIN')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}
