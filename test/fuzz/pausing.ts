import { readSync, writeSync } from 'node:fs'
import { isErrno } from '../../src/system/errno.ts'

/*
 * Stands in place of src/system/fault.ts in the processes that are interleaved: at every step at which a crash could cut a command short, the process says
 * where it is, and goes on when it is told to. It stands as still as under SIGSTOP, and wakes sooner.
 */

export function faultPoint(step: string): void {
  tell({ at: step })
  nextLine()
}

/** Says something to whoever drives this process, as one line of JSON. */
export function tell(what: unknown): void {
  const line = Buffer.from(`${JSON.stringify(what)}\n`)
  for (let written = 0; written < line.length; ) written += writeSync(1, line, written)
}

let rest = ''

/**
 * The next line of standard input, waited for without giving up the thread; undefined at its end.
 */
export function nextLine(): string | undefined {
  const chunk = Buffer.alloc(64 * 1024)
  for (;;) {
    const end = rest.indexOf('\n')
    if (end >= 0) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 1)
      return line
    }
    const count = readSome(chunk)
    if (count === 0) return undefined
    rest += chunk.toString('utf8', 0, Math.max(0, count))
  }
}

/** Node makes the pipes to its children non-blocking: -1 where nothing has come. */
function readSome(chunk: Buffer): number {
  try {
    return readSync(0, chunk)
  } catch (error) {
    if (!isErrno(error, 'EAGAIN')) throw error
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    return -1
  }
}
