import type { Stats } from 'node:fs'
import type { Script } from 'node:vm'
import { builtin } from './builtin.ts'

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
} = builtin('node:fs')

/** A file, as it was before it was read, and what V8 made of it. */
export type Compiled = { stats: Stats; script: Script }

/** Compiled code, kept from one run of a word to the next. */
export type Kept = {
  path: string
  /** The code of a file, if it was kept for the very same one. */
  find: (file: Stats) => Uint8Array | undefined
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
export const MOST_FILES = 32
const HEAD = 1 + FIELDS * MOST_FILES

/**
 * The compiled code that was kept for a word of a program, in `.cache` beside its files: who may
 * write there may write the program. Node 20 has no compile cache of its own. Undefined where code
 * is not kept: for what may be no word, and with options of Node, for which V8 compiles other code.
 *
 * `find` gives nothing where there is no such file, or where somebody has written to it since: V8
 * believes whatever it is given, and ends the process. The file stays open, since another one may
 * take its place.
 */
export function openKept(root: string, entry: string, word: string): Kept | undefined {
  if (word === '' || word.length > 32 || word.includes('/')) return undefined
  if (process.execArgv.length > 0 || process.env.NODE_OPTIONS) return undefined
  const path = `${root}/.cache/${process.version}-${process.arch}/${entry.slice(0, -3)}-${word}`
  let fd: number | undefined
  const head = new Float64Array(HEAD)
  try {
    if (statSync(path, { throwIfNoEntry: false })?.mtimeMs === 1000 * WHOLE) {
      fd = openSync(path, 'r')
      // It looks at less than `readSync` before it reads, which takes 0.1 ms the first time.
      readvSync(fd, [head])
    }
  } catch {
    // None that can be read.
  }
  return {
    path,
    find: ({ ctimeMs, size, ino }) => {
      if (fd === undefined || head[0] !== MAGIC) return undefined
      // Another file in the same place is known by its inode or its time, also where its length and
      // its version are the same.
      let at = 1
      while (head[at] !== ctimeMs || head[at + 1] !== size || head[at + 2] !== ino) {
        at += FIELDS
        if (at >= HEAD) return undefined
      }
      try {
        const code = new Uint8Array(head[at + 4] ?? 0)
        return readvSync(fd, [code], head[at + 3]) === code.length ? code : undefined
      } catch {
        return undefined
      }
    },
  }
}

/**
 * Writes down the code of all that was compiled; before that, `warm` runs what is worth keeping,
 * too. Never throws.
 */
export function keepCode(path: string, compiled: Compiled[], warm?: () => void): void {
  try {
    warm?.()
    writeKept(path, compiled.slice(0, MOST_FILES))
  } catch {
    // A program that may not write beside its files, or a full disk: the next start compiles again.
  }
}

function writeKept(path: string, compiled: Compiled[]): void {
  const parts: Buffer[] = []
  const head = new Float64Array(HEAD)
  head[0] = MAGIC
  let at = ALIGN * HEAD
  for (const [index, { stats, script }] of compiled.entries()) {
    const { ctimeMs, size, ino } = stats
    const code = script.createCachedData()
    head.set([ctimeMs, size, ino, at, code.length], 1 + FIELDS * index)
    parts.push(code, Buffer.alloc((ALIGN - (code.length % ALIGN)) % ALIGN))
    at += code.length + (parts.at(-1)?.length ?? 0)
  }
  const directory = path.slice(0, path.lastIndexOf('/'))
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  const content = Buffer.concat([Buffer.from(head.buffer), ...parts])
  replaceFile(directory, path, content)
}

/** The file is there as a whole or not at all, also after the power was lost. */
function replaceFile(directory: string, path: string, content: Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    const fd = openSync(temporary, 'wx', 0o644)
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
