import { closeSync, fstatSync, readSync } from 'node:fs'
import { ensureHome } from '../../bus/home.ts'
import type { Ports } from '../../chat/ports.ts'
import { makeDirectory, openIfThere } from '../../system/files.ts'
import { hintOnChanges } from '../../system/hints.ts'
import { createWaker } from '../../system/waker.ts'
import { olderStream, type StreamLine, streamLine } from './stream.ts'

/**
 * The backup of file events: how often the file is looked at where none came. In milliseconds.
 */
const SCAN_MS = 5000

/** `from`: the place of the first event that is wanted: a reader that was cut goes on there. */
export type FollowRequest = {
  name: string
  message: string
  from?: number
  onLine: (line: StreamLine) => void
  /** Ends it. */
  signal: AbortSignal
}

/**
 * Calls `onLine` for each event of a message's stream, those of before and those to come, until it
 * is done or the signal comes. A reader that is further behind than the two files hold has lost
 * what is older.
 */
export async function followStream(
  { name, message, from = 0, onLine, signal }: FollowRequest,
  { bus }: Pick<Ports, 'bus'>,
): Promise<void> {
  const { home } = bus()
  ensureHome(home)
  makeDirectory(home.workers)
  const waker = createWaker()
  const path = home.workerStream(name)
  const isOf = (file: string) => file.startsWith(`${name}.stream`)
  const stopHints = hintOnChanges([{ directory: home.workers, isOf }], waker.wake)
  signal.addEventListener('abort', waker.wake)
  const read = reader(path)
  let next = from
  try {
    for (;;) {
      for (const line of read()) {
        if (line.message !== message || line.n < next) continue
        next = line.n + 1
        onLine(line)
        if (line.event === 'done') return
      }
      if (signal.aborted) return
      await waker.sleep(SCAN_MS)
    }
  } finally {
    signal.removeEventListener('abort', waker.wake)
    stopHints()
  }
}

/** Reads what has been added since the last time, across the change from one file to the next. */
function reader(path: string): () => StreamLine[] {
  let file: { ino: number; position: number } | undefined
  let rest = Buffer.alloc(0)
  const take = (fd: number, position: number): number => {
    const { size } = fstatSync(fd)
    const bytes = Buffer.alloc(Math.max(0, size - position))
    const count = readSync(fd, bytes, 0, bytes.length, position)
    rest = Buffer.concat([rest, bytes.subarray(0, count)])
    return position + count
  }
  return () => {
    const fd = openIfThere(path)
    try {
      const ino = fd === undefined ? undefined : fstatSync(fd).ino
      if (ino === undefined || file?.ino !== ino) {
        const older = openIfThere(olderStream(path))
        if (older !== undefined) {
          // At first all that is there counts; later, what was left of the file that was put aside.
          const isOurs = file === undefined || fstatSync(older).ino === file.ino
          if (isOurs && fd !== undefined) take(older, file?.position ?? 0)
          closeSync(older)
        }
        if (ino !== undefined) file = { ino, position: 0 }
      }
      if (fd !== undefined && file) file.position = take(fd, file.position)
    } finally {
      if (fd !== undefined) closeSync(fd)
    }
    const end = rest.lastIndexOf(0x0a)
    const lines = rest.toString('utf8', 0, Math.max(0, end)).split('\n')
    rest = rest.subarray(end + 1)
    return lines.flatMap((line) => streamLine(line) ?? [])
  }
}
