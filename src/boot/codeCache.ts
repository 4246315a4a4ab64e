import type { Stats } from 'node:fs'
import type { Script } from 'node:vm'

const {
  closeSync,
  fsyncSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
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
 * In front of the code: the magic, how many files it was made from, and for each of them five
 * numbers. These are its time of change of all kinds, its size and its inode, then where its code
 * begins and how long it is, in bytes.
 */
const HEAD = 2
const FIELDS = 5

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
  let kept = readKept(path)
  let unused = kept?.[1] ?? 0
  const seen: [file: Stats, script: Script][] = []
  let complete = true
  return {
    find: (file) => {
      const found = kept && codeIn(kept, file)
      unused -= found === undefined ? 0 : 1
      // Once V8 has all of it, the memory of the file is free.
      if (unused === 0) kept = undefined
      return found
    },
    note: (file, script) => {
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

/**
 * The file as numbers. Undefined where there is no such file, or it is not what was written: V8
 * itself believes whatever it is given, and ends the process.
 */
function readKept(path: string): Float64Array | undefined {
  try {
    const { mtimeMs = 0, size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs !== 1000 * WHOLE) return undefined
    // `readFileSync` takes longer for this, by a third.
    const kept = new Float64Array(size / ALIGN)
    const fd = openSync(path, 'r')
    const isAll = readSync(fd, kept) === size
    closeSync(fd)
    return isAll && kept[0] === MAGIC ? kept : undefined
  } catch {
    return undefined
  }
}

/**
 * The code that was made from this file. Another file in the same place is known by its inode or
 * its time, also where its length and its version are the same.
 */
function codeIn(kept: Float64Array, { ctimeMs, size, ino }: Stats): Uint8Array | undefined {
  const end = HEAD + FIELDS * (kept[1] ?? 0)
  for (let at = HEAD; at < end; at += FIELDS)
    if (kept[at] === ctimeMs && kept[at + 1] === size && kept[at + 2] === ino)
      return new Uint8Array(kept.buffer, kept[at + 3], kept[at + 4])
  return undefined
}

function writeKept(directory: string, path: string, seen: [file: Stats, script: Script][]): void {
  const parts: Buffer[] = []
  const head = [MAGIC, seen.length]
  let at = ALIGN * (HEAD + FIELDS * seen.length)
  for (const [{ ctimeMs, size, ino }, script] of seen) {
    const code = script.createCachedData()
    head.push(ctimeMs, size, ino, at, code.length)
    parts.push(code, Buffer.alloc((ALIGN - (code.length % ALIGN)) % ALIGN))
    at += code.length + (parts.at(-1)?.length ?? 0)
  }
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  const content = Buffer.concat([Buffer.from(new Float64Array(head).buffer), ...parts])
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
