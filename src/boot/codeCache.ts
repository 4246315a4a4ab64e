import type { Stats } from 'node:fs'
import type { Script } from 'node:vm'

const {
  closeSync,
  fsyncSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readvSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} = process.getBuiltinModule('node:fs')

/** Compiled code, kept from one run of a word to the next. */
export type CodeCache = {
  /** The code of a file, if it was kept for the very same one. */
  find: (file: Stats) => Uint8Array | undefined
  /** That a file was compiled, or taken from here. */
  note: (file: Stats, script: Script) => void
  /**
   * Writes down the code of all that was compiled, where any of it was not here yet; before that,
   * `warm` runs what is worth keeping, too. Never throws.
   */
  keep: (warm?: () => void) => void
}

/** Begins every file; another layout gets another one. */
const MAGIC = 0x61636332
/**
 * The time of change that a whole file has, in seconds: whoever writes to it gives it another one.
 * Even, since some disks count in steps of two.
 */
const WHOLE = 1_000_000_000
/** V8 copies code that does not begin at such an address; it is the size of a number, too. */
const ALIGN = 8
/**
 * In front of the code: the magic, and for each file that it was made from five numbers. These are
 * its time of change of all kinds, its size and its inode, then where its code begins and how long
 * it is, in bytes.
 */
const FIELDS = 5
/** No word has more files; of one that had, the first are kept. */
const MOST_FILES = 32
const HEAD = 1 + FIELDS * MOST_FILES

/**
 * The compiled code that was kept for a word of a program, in `.cache` beside its files: who may
 * write there may write the program. Node 20 has no compile cache of its own. Undefined where code
 * is not kept: for what may be no word, and with options of Node, for which V8 compiles other code.
 */
export function openCodeCache(root: string, entry: string, word: string): CodeCache | undefined {
  // A start pays 20 µs and more for each pattern that it tries, and for each function of `path`.
  if (word === '' || word.length > 32 || word.includes('/')) return undefined
  if (process.execArgv.length > 0 || process.env.NODE_OPTIONS) return undefined
  const directory = `${root}/.cache/${process.version}-${process.arch}`
  const path = `${directory}/${entry.slice(0, -3)}-${word}`
  const kept = openKept(path)
  const seen: [file: Stats, script: Script][] = []
  let complete = true
  return {
    find: (file) => kept && codeIn(kept, file),
    note: (file, script) => {
      if (seen.length === MOST_FILES) return
      seen.push([file, script])
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

/** A file with kept code. It stays open: another one may take its place meanwhile. */
type Kept = { fd: number; head: Float64Array }

/**
 * Undefined where there is no such file, or it is not what was written: V8 itself believes whatever
 * it is given, and ends the process.
 */
function openKept(path: string): Kept | undefined {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.mtimeMs !== 1000 * WHOLE) return undefined
    const fd = openSync(path, 'r')
    const head = new Float64Array(HEAD)
    // It looks at less than `readSync` before it reads, which takes 0.1 ms the first time.
    const read = readvSync(fd, [head])
    if (read === ALIGN * HEAD && head[0] === MAGIC) return { fd, head }
    closeSync(fd)
  } catch {
    // No such file, or none that can be read.
  }
  return undefined
}

/**
 * The code that was made from this file. Another file in the same place is known by its inode or
 * its time, also where its length and its version are the same.
 */
function codeIn({ fd, head }: Kept, { ctimeMs, size, ino }: Stats): Uint8Array | undefined {
  for (let at = 1; at < HEAD; at += FIELDS)
    if (head[at] === ctimeMs && head[at + 1] === size && head[at + 2] === ino) {
      const code = new Uint8Array(head[at + 4] ?? 0)
      return readvSync(fd, [code], head[at + 3]) === code.length ? code : undefined
    }
  return undefined
}

function writeKept(directory: string, path: string, seen: [file: Stats, script: Script][]): void {
  const parts: Buffer[] = []
  const head = new Float64Array(HEAD)
  head[0] = MAGIC
  let at = ALIGN * HEAD
  for (const [index, [{ ctimeMs, size, ino }, script]] of seen.entries()) {
    const code = script.createCachedData()
    head.set([ctimeMs, size, ino, at, code.length], 1 + FIELDS * index)
    parts.push(code, Buffer.alloc((ALIGN - (code.length % ALIGN)) % ALIGN))
    at += code.length + (parts.at(-1)?.length ?? 0)
  }
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  const content = Buffer.concat([Buffer.from(head.buffer), ...parts])
  replaceFile(directory, path, content)
}

/** The file is there as a whole or not at all, also after the power was lost. */
function replaceFile(directory: string, path: string, content: Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    const fd = openSync(temporary, 'w', 0o644)
    try {
      for (let from = 0; from < content.length; from += writeSync(fd, content, from));
      futimesSync(fd, WHOLE, WHOLE)
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
    if (name.endsWith('.tmp')) unlinkSync(`${directory}/${name}`)
}
