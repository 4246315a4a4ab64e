import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { isErrno } from '../system/errno.ts'
import { fieldOf, jsonOf } from '../system/json.ts'

/** How far a file was read. `skips`: into a line that is too long to be read. */
export type Cursor = { ino: number; end: number; skips: boolean }

/** What one answer of the model cost. An answer is written on several lines, with one id. */
export type Usage = { id: string; tokens: number }

const CHUNK = 256 * 1024
/** A line holds a whole answer, with the files that it writes. */
const MAX_LINE = 4 * 1024 * 1024
/** So much from the end is looked at first for where the day begins, and so much at each place. */
const FIRST_STEP = 1024 * 1024
const PROBE = 64 * 1024

/** What an answer has cost. What the model reads again does not count: it is the whole context. */
const COUNTED = ['input_tokens', 'cache_creation_input_tokens', 'output_tokens']

/**
 * Gives the usage of each answer since `since` (milliseconds since 1970) that Claude Code's own
 * record of a conversation has beyond `from`: a JSON object a line, in the order of time. Gives how
 * far that was; undefined where there is no such file. Half a line is read when it is whole.
 */
export async function readUsage(
  path: string,
  from: Cursor | undefined,
  since: number,
  give: (usage: Usage) => void,
): Promise<Cursor | undefined> {
  const file = await openPlain(path)
  try {
    const found = await file?.stat()
    if (file === undefined || !found?.isFile()) return undefined
    const { ino, size } = found
    if (from === undefined || from.ino !== ino || from.end > size) {
      const end = found.mtimeMs < since ? size : await startOf(file, size, since)
      return await readOn(file, { ino, end, skips: false }, size, since, give)
    }
    return await readOn(file, from, size, since, give)
  } finally {
    await file?.close()
  }
}

async function readOn(
  file: FileHandle,
  from: Cursor,
  size: number,
  since: number,
  give: (usage: Usage) => void,
): Promise<Cursor> {
  let { end: at, skips } = from
  let rest: Buffer = Buffer.alloc(0)
  while (at < size) {
    const bytes = await bytesAt(file, at, CHUNK)
    if (bytes.length === 0) break
    at += bytes.length
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    for (let to = rest.indexOf(0x0a); to >= 0; to = rest.indexOf(0x0a)) {
      const usage = skips ? undefined : usageIn(rest.subarray(0, to), since)
      if (usage) give(usage)
      skips = false
      rest = rest.subarray(to + 1)
    }
    if (rest.length > MAX_LINE || skips) {
      skips = true
      rest = Buffer.alloc(0)
    }
  }
  return { ino: from.ino, end: at - rest.length, skips }
}

/** A place before the first line of a time: from there on it is read. */
async function startOf(file: FileHandle, size: number, since: number): Promise<number> {
  for (let back = FIRST_STEP; back < size; back *= 4) {
    const text = (await bytesAt(file, size - back, PROBE)).toString('latin1')
    const time = /"timestamp":"([^"]{1,40})"/.exec(text)?.[1] ?? ''
    if (Date.parse(time) < since) return size - back
  }
  return 0
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}

/** Of a line of the record, which is long and mostly something else. */
function usageIn(line: Buffer, since: number): Usage | undefined {
  if (!line.includes('"usage"') || !line.includes('"assistant"')) return undefined
  const entry = jsonOf(line.toString('utf8'))
  const message = fieldOf(entry, 'message')
  const id = fieldOf(message, 'id')
  const isToday = Date.parse(String(fieldOf(entry, 'timestamp'))) >= since
  if (fieldOf(entry, 'type') !== 'assistant' || typeof id !== 'string' || !isToday) return undefined
  const usage = fieldOf(message, 'usage')
  return { id, tokens: COUNTED.reduce((sum, key) => sum + countOf(fieldOf(usage, key)), 0) }
}

function countOf(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0
}

/** Waits for no pipe. */
async function openPlain(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ENAMETOOLONG', 'ENXIO')) return undefined
    throw error
  }
}
