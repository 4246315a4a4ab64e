import { closeSync, fstatSync, readSync } from 'node:fs'
import { openIfThere } from './files.ts'

const CHUNK = 64 * 1024

/** The lines of a file from its last to its first, read only as far as asked. No file has none. */
export function* linesFromEnd(path: string): Generator<string> {
  const fd = openIfThere(path)
  if (fd === undefined) return
  try {
    let position = fstatSync(fd).size
    let rest: Buffer = Buffer.alloc(0)
    while (position > 0) {
      const size = Math.min(CHUNK, position)
      position -= size
      const chunk = Buffer.alloc(size)
      readSync(fd, chunk, 0, size, position)
      let buffer = rest.length === 0 ? chunk : Buffer.concat([chunk, rest])
      for (let at = buffer.lastIndexOf(0x0a); at >= 0; at = buffer.lastIndexOf(0x0a)) {
        if (at + 1 < buffer.length) yield buffer.toString('utf8', at + 1)
        buffer = buffer.subarray(0, at)
      }
      rest = buffer
    }
    if (rest.length > 0) yield rest.toString('utf8')
  } finally {
    closeSync(fd)
  }
}
