import { closeSync, fstatSync, openSync, readvSync, type Stats, statSync, writeSync } from 'node:fs'
import { unless } from './errno.ts'
import { pause } from './timeLeft.ts'

/** Whether this is a terminal. A look at its kind comes first: `node:tty` costs a start-up. */
export async function isTerminal(fd: number): Promise<boolean> {
  const stat = unless(['EBADF'], () => fstatSync(fd))
  if (!stat?.isCharacterDevice() || isNullDevice(stat)) return false
  return (await import('node:tty')).isatty(fd)
}

export function isNullDevice(stat: Stats): boolean {
  return stat.isCharacterDevice() && stat.rdev === statSync('/dev/null').rdev
}

/** How many columns the terminal on standard output has, where it is one and says so. */
export async function terminalColumns(): Promise<number | undefined> {
  return (await isTerminal(1)) ? process.stdout.columns || undefined : undefined
}

/**
 * Writes text and returns when the system has accepted all of it; throws `EPIPE` where nobody reads
 * any more. `process.stdout` would do the same, a tenth of a start-up later.
 */
export function writeOut(fd: number, text: string): void {
  const buffer = Buffer.from(text)
  for (let written = 0; written < buffer.length; )
    written += patiently(() => writeSync(fd, buffer, written))
}

/** All of standard input, but no more than one byte beyond `maxBytes`, which tells too much. */
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

/** How much is read at once, in bytes. */
const CHUNK = 64 * 1024

function readUpTo(fd: number, maxBytes: number): Buffer {
  const chunks: Buffer[] = []
  let left = maxBytes + 1
  for (let isEnd = false; !isEnd && left > 0; ) {
    const chunk = new ArrayBuffer(Math.min(CHUNK, left))
    const filled = fill(fd, chunk)
    chunks.push(Buffer.from(chunk, 0, filled))
    left -= filled
    isEnd = filled < chunk.byteLength
  }
  const [only] = chunks
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks)
}

/** Reads until the chunk is full or nothing more comes. Gives the number of bytes read. */
function fill(fd: number, chunk: ArrayBuffer): number {
  let filled = 0
  while (filled < chunk.byteLength) {
    const free = new Uint8Array(chunk, filled)
    const count = unless(['EOF'], () => patiently(() => readvSync(fd, [free]))) ?? 0
    if (count === 0) break
    filled += count
  }
  return filled
}

/** Another process may have made a shared pipe non-blocking: it is full, or empty, for a while. */
function patiently(work: () => number): number {
  for (;;) {
    const count = unless(['EAGAIN'], work)
    if (count !== undefined) return count
    pause(5)
  }
}
