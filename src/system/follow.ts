import { closeSync, fstatSync, readSync, statSync } from 'node:fs'
import { watch } from 'chokidar'
import { openIfThere } from './files.ts'

/** How often a followed file is looked at where its events were missed. In milliseconds. */
const LOOK_MS = 5000

/**
 * Calls `onLine` for each whole line that is added to a file from now on, until `onStop` calls
 * back. The file may come later, grow, or be replaced by a new one. Rejects with what `onLine`
 * throws.
 */
export function followFile(
  path: string,
  onStop: (stop: () => void) => void,
  onLine: (line: string) => void,
): Promise<void> {
  let position = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  let rest: Buffer = Buffer.alloc(0)
  const look = () => {
    const added = readFrom(path, position)
    position = added.end
    let buffer = added.replaced ? added.bytes : Buffer.concat([rest, added.bytes])
    for (let at = buffer.indexOf(0x0a); at >= 0; at = buffer.indexOf(0x0a)) {
      onLine(buffer.toString('utf8', 0, at))
      buffer = buffer.subarray(at + 1)
    }
    rest = buffer
  }
  return new Promise((resolve, reject) => {
    const watcher = watch(path, { ignoreInitial: true })
    const end = (error?: unknown) => {
      clearInterval(timer)
      void watcher.close().then(() => (error === undefined ? resolve() : reject(error)))
    }
    const tryLook = () => {
      try {
        look()
      } catch (error) {
        end(error)
      }
    }
    const timer = setInterval(tryLook, LOOK_MS)
    watcher.on('all', () => {
      tryLook()
      // The watch drops a second change within 50 ms; look again when that time is over.
      setTimeout(tryLook, 75)
    })
    // What came before the watch was ready has made no event.
    watcher.on('ready', tryLook)
    watcher.on('error', () => {})
    onStop(() => end())
  })
}

function readFrom(
  path: string,
  position: number,
): { bytes: Buffer; end: number; replaced: boolean } {
  const fd = openIfThere(path)
  if (fd === undefined) return { bytes: Buffer.alloc(0), end: 0, replaced: true }
  try {
    const { size } = fstatSync(fd)
    const start = size < position ? 0 : position
    const bytes = Buffer.alloc(size - start)
    const count = readSync(fd, bytes, 0, bytes.length, start)
    return { bytes: bytes.subarray(0, count), end: start + count, replaced: start < position }
  } finally {
    closeSync(fd)
  }
}
