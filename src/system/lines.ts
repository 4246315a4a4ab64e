import { closeSync, fstatSync, readSync } from 'node:fs'
import { openIfThere } from './files.ts'

const CHUNK = 64 * 1024

/** The lines of a file from its last to its first, read only as far as asked. No file has none. */
export function* linesFromEnd(path: string): Generator<string> {
  const fd = openIfThere(path)
  if (fd === undefined) return
  try {
    yield* linesBefore(fd, fstatSync(fd).size)
  } finally {
    closeSync(fd)
  }
}

/** As `linesFromEnd`, of an open file and from this place on; the caller closes it. */
export function* linesBefore(fd: number, before: number): Generator<string> {
  let position = before
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
}

/** The whole lines from a place on to the end of an open file, each with the place of its end. */
export function linesAfter(fd: number, start: number): { line: string; end: number }[] {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - start))
  const buffer = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, start))
  const lines: { line: string; end: number }[] = []
  for (let from = 0, to = 0; ; from = to + 1) {
    to = buffer.indexOf(0x0a, from)
    if (to < 0) return lines
    lines.push({ line: buffer.toString('utf8', from, to), end: start + to + 1 })
  }
}
