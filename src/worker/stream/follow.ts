import { closeSync, fstatSync, readSync } from 'node:fs'
import type { Ports } from '../../chat/ports.ts'
import { makeDirectory, openIfThere } from '../../system/files.ts'
import { hintOnChanges } from '../../system/hints.ts'
import { olderStream, type StreamLine, streamLine } from './stream.ts'

/**
 * The backup of file events: how often the file is looked at where none came. In milliseconds.
 */
const SCAN_MS = 5000

/** `from`: the place of the first event that is wanted: a reader that was cut goes on there. */
export type FollowRequest = {
  name: string
  message: string
  from?: number | undefined
  onLine: (line: StreamLine) => void
}

/** `done`: when the stream has ended; `look`: takes in what is there; `stop`: looks no more. */
export type Following = { done: Promise<void>; look: () => void; stop: () => void }

/**
 * Calls `onLine` for each event of a message's stream, those of before and those to come. Of a
 * reader that is further behind than the two files hold, the older events are lost.
 */
export function followStream(
  { name, message, from = 0, onLine }: FollowRequest,
  { bus }: Pick<Ports, 'bus'>,
): Following {
  const { home } = bus()
  makeDirectory(home.workers)
  const read = addedTo(home.workerStream(name))
  let next = from
  let end = () => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  const look = () => {
    for (const line of read()) {
      if (line.message !== message || line.n < next) continue
      next = line.n + 1
      onLine(line)
      if (line.event === 'done') end()
    }
  }
  const isOf = (file: string) => file.startsWith(`${name}.stream`)
  const stopHints = hintOnChanges([{ directory: home.workers, isOf }], look)
  const timer = setInterval(look, SCAN_MS)
  const stop = () => {
    stopHints()
    clearInterval(timer)
  }
  void done.then(stop)
  look()
  return { done, look, stop }
}

/** What was added since the last call: from the file that was put aside, too. */
function addedTo(path: string): () => StreamLine[] {
  let file = { ino: 0, position: 0 }
  let rest: Buffer = Buffer.alloc(0)
  const take = (from: string, isIt: (ino: number) => boolean) => {
    const fd = openIfThere(from)
    if (fd === undefined) return
    try {
      const { ino, size } = fstatSync(fd)
      if (!isIt(ino)) return
      const position = ino === file.ino ? file.position : 0
      const bytes = Buffer.alloc(Math.max(0, size - position))
      const count = readSync(fd, bytes, 0, bytes.length, position)
      rest = Buffer.concat([rest, bytes.subarray(0, count)])
      file = { ino, position: position + count }
    } finally {
      closeSync(fd)
    }
  }
  return () => {
    const known = file.ino
    // At first all that is there counts; then what was left of a file that was put aside since.
    take(olderStream(path), (ino) => known === 0 || ino === known)
    take(path, () => true)
    const end = rest.lastIndexOf(0x0a) + 1
    const lines = rest.toString('utf8', 0, end).split('\n')
    rest = rest.subarray(end)
    return lines.flatMap((line) => streamLine(line) ?? [])
  }
}
