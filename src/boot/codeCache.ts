import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Script } from 'node:vm'

/**
 * The code of one file: which one it was made from, and where it stands, in bytes from the end of
 * the head.
 */
type Entry = { stamp: string; at: number; bytes: number }

/** Compiled code, kept from one run of a word to the next. */
export type CodeCache = {
  /** The code of a file, if it was kept for the very same one. */
  find: (file: string, stamp: string) => Buffer | undefined
  /** That a file was compiled, or taken from here. */
  note: (file: string, stamp: string, script: Script) => void
  /**
   * Writes down the code of all that was compiled, where any of it was not here yet; before that,
   * `warm` runs what is worth keeping, too. Never throws.
   */
  keep: (warm?: () => void) => void
}

/** Begins every file; another layout gets another one. */
const MAGIC = 0x61636331
/**
 * In front of all else: the magic and the bytes of the head. Head and code follow, and then both
 * once more.
 */
const PREFIX = 8
/** How much of the second copy is compared at once, in bytes. */
const PIECE = 32 * 1024
/** V8 copies code that does not begin at such an address. */
const ALIGN = 8

/**
 * The compiled code that was kept for a word of a program, in `.cache` beside its files: who may
 * write there may write the program. Node 20 has no compile cache of its own. Undefined where code
 * is not kept: for what is no word, and with options of Node, for which V8 compiles other code.
 */
export function openCodeCache(root: string, entry: string, word: string): CodeCache | undefined {
  if (!/^[a-z][a-z-]{1,30}$/.test(word) || process.execArgv.length > 0 || process.env.NODE_OPTIONS)
    return undefined
  const directory = join(root, '.cache', `${process.version}-${process.arch}`)
  const path = join(directory, `${entry.replace('.js', '')}-${word}`)
  const kept = readKept(path)
  const { entries } = kept
  let { code } = kept
  let unused = Object.keys(entries).length
  const seen = new Map<string, { stamp: string; script: Script }>()
  let complete = true
  return {
    find: (file, stamp) => {
      const entry = entries[file]
      const found = code
      unused -= entry === undefined ? 0 : 1
      // Once V8 has all of it, the memory of the file is free.
      if (unused === 0) code = undefined
      return entry?.stamp === stamp ? found?.subarray(entry.at, entry.at + entry.bytes) : undefined
    },
    note: (file, stamp, script) => {
      seen.set(file, { stamp, script })
      if (script.cachedDataRejected !== false) complete = false
    },
    keep: (warm) => {
      if (complete) return
      try {
        warm?.()
        writeKept(directory, path, seen)
      } catch {
        // A program that may not write beside its files, or a full disk: the next start compiles
        // again.
      }
    },
  }
}

/**
 * Nothing where there is no such file, or it is not what was written: V8 itself believes whatever
 * it is given, and ends the process. Two copies that are compared cost a tenth of a millisecond, a
 * sum of one costs many.
 */
function readKept(path: string): { entries: Record<string, Entry>; code: Buffer | undefined } {
  try {
    const content = readTwice(path)
    if (content !== undefined) {
      const head = content.readInt32LE(4)
      return {
        entries: JSON.parse(content.toString('latin1', PREFIX, PREFIX + head)),
        code: content.subarray(PREFIX + head),
      }
    }
  } catch {
    // No such file, or none that can be read.
  }
  return { entries: {}, code: undefined }
}

/**
 * The prefix and the first copy, if the second one is the same. Only a piece of the second is in
 * memory at a time: the first touch of a page of memory takes longer than reading the page.
 */
function readTwice(path: string): Buffer | undefined {
  const fd = openSync(path, 'r')
  try {
    const half = PREFIX + (fstatSync(fd).size - PREFIX) / 2
    const content = Buffer.allocUnsafeSlow(half)
    if (readSync(fd, content) !== half || content.readInt32LE(0) !== MAGIC) return undefined
    const piece = Buffer.allocUnsafe(PIECE)
    for (let at = PREFIX; at < half; ) {
      const read = readSync(fd, piece)
      if (read === 0 || content.compare(piece, 0, read, at, at + read) !== 0) return undefined
      at += read
    }
    return content
  } finally {
    closeSync(fd)
  }
}

function writeKept(
  directory: string,
  path: string,
  seen: Map<string, { stamp: string; script: Script }>,
): void {
  const parts: Buffer[] = []
  const entries: Record<string, Entry> = {}
  let at = 0
  for (const [file, { stamp, script }] of seen) {
    const code = script.createCachedData()
    entries[file] = { stamp, at, bytes: code.length }
    parts.push(padded(code))
    at += parts.at(-1)?.length ?? 0
  }
  const head = padded(Buffer.from(JSON.stringify(entries)), ' ')
  const prefix = Buffer.alloc(PREFIX)
  prefix.writeInt32LE(MAGIC, 0)
  prefix.writeInt32LE(head.length, 4)
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  replaceFile(directory, path, Buffer.concat([prefix, head, ...parts, head, ...parts]))
}

/** The file is there as a whole or not at all, also after the power was lost. */
function replaceFile(directory: string, path: string, content: Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    const fd = openSync(temporary, 'w', 0o644)
    try {
      for (let from = 0; from < content.length; from += writeSync(fd, content, from));
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(temporary, path)
  } catch (error) {
    unlinkSync(temporary)
    throw error
  }
  // What a process that was killed here has left.
  for (const name of readdirSync(directory))
    if (name.endsWith('.tmp')) unlinkSync(join(directory, name))
}

function padded(bytes: Buffer, fill: string | number = 0): Buffer {
  const rest = (ALIGN - (bytes.length % ALIGN)) % ALIGN
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(rest, fill)])
}
