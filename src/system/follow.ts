import { closeSync, fstatSync, readSync, statSync } from 'node:fs'
import { watch } from 'chokidar'
import { openIfThere } from './files.ts'

/**
 * Where a line ends: in which file, and after how many bytes of it. `look`: which reading found it;
 * `replaced`: the file took the place of another one just before.
 */
export type PlaceInFile = { ino: number; end: number; look: number; replaced: boolean }

/** How often a followed file is looked at where its events were missed. In milliseconds. */
const LOOK_MS = 5000

/**
 * Calls `onLine` for each whole line that is added to a file from now on, until `onStop` calls
 * back. The file may come later, grow, or be replaced by a new one. Rejects with what `onLine`
 * throws. `timed` false: the caller looks now and then, with the second function of `onStop`.
 * `onPart` gets what there is of a line that has not ended, each time that it grows.
 */
export function followFile(
  path: string,
  onStop: (stop: () => void, look: () => void) => void,
  onLine: (line: string, place: PlaceInFile) => void,
  timed = true,
  onPart: (part: string) => void = () => {},
): Promise<void> {
  const { size = 0, ino = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  let from = { position: size, ino }
  let rest: Buffer = Buffer.alloc(0)
  let looks = 0
  const look = () => {
    const now = statSync(path, { throwIfNoEntry: false })
    if (now?.ino === from.ino && now.size === from.position) return
    const added = readFrom(path, from)
    from = { position: added.end, ino: added.ino }
    looks += 1
    let buffer = added.replaced ? added.bytes : Buffer.concat([rest, added.bytes])
    for (let at = buffer.indexOf(0x0a); at >= 0; at = buffer.indexOf(0x0a)) {
      const line = buffer.toString('utf8', 0, at)
      buffer = buffer.subarray(at + 1)
      const end = added.end - buffer.length
      onLine(line, { ino: added.ino, end, look: looks, replaced: added.replaced })
    }
    rest = buffer
    // A sign of several bytes may be cut.
    if (rest.length > 0) onPart(rest.toString('utf8').replace(/\ufffd+$/, ''))
  }
  return new Promise((resolve, reject) => {
    const watcher = watch(path, { ignoreInitial: true })
    let ended = false
    const end = (error?: unknown) => {
      ended = true
      clearInterval(timer)
      void watcher.close().then(() => (error === undefined ? resolve() : reject(error)))
    }
    const tryLook = () => {
      if (ended) return
      try {
        look()
      } catch (error) {
        end(error)
      }
    }
    const timer = timed ? setInterval(tryLook, LOOK_MS) : undefined
    watcher.on('all', () => {
      tryLook()
      // The watch drops a second change within 50 ms; look again when that time is over.
      setTimeout(tryLook, 75)
    })
    // What came before the watch was ready has made no event.
    watcher.on('ready', tryLook)
    watcher.on('error', () => {})
    onStop(() => end(), tryLook)
  })
}

type Added = { bytes: Buffer; end: number; ino: number; replaced: boolean }

function readFrom(path: string, from: { position: number; ino: number }): Added {
  const fd = openIfThere(path)
  if (fd === undefined) return { bytes: Buffer.alloc(0), end: 0, ino: 0, replaced: true }
  try {
    const { size, ino } = fstatSync(fd)
    const replaced = ino !== from.ino || size < from.position
    const start = replaced ? 0 : from.position
    const bytes = Buffer.alloc(size - start)
    const count = readSync(fd, bytes, 0, bytes.length, start)
    return { bytes: bytes.subarray(0, count), end: start + count, ino, replaced }
  } finally {
    closeSync(fd)
  }
}
