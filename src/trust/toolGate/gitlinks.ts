import { closeSync, openSync, readFileSync, readvSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isThere } from '../../system/files.ts'
import { look } from './look.ts'
import { nearestMarked } from './repository.ts'

/** Longer than the index of any repository but the very largest, in bytes. */
const LARGEST_INDEX = 16 * 1024 * 1024

/** What an entry of the index is, by git's own numbers. */
const PLAIN_MODES = [0o100644, 0o100755, 0o120000]
const GITLINK = 0o160000
/**
 * An index with one of these has to be read: the mode of such an entry, or the name of an extension
 * by which entries stand in another file or are left out. The zeros before it are counted apart: an
 * index is full of zeros, and to look for one first takes ten times as long.
 */
const TELLING: [zeros: number, bytes: string][] = [
  [2, '\xe0\0'],
  [1, 'link'],
  [0, 'sdir'],
]
/** After so many of these bytes without the zeros, reading the index is no more work. */
const MOST_LOOKS = 1000
/** How much of an index is looked through at once, and how much of that twice, in bytes. */
const PIECE = 32 * 1024
const OVERLAP = 8

/**
 * Whether the repository of a directory holds other repositories as commits, in which git looks for
 * changes, by their own configuration. True where that cannot be told.
 */
export function holdsGitlinks(directory: string, nearest = nearestMarked): boolean {
  const repository = nearest(directory)
  if (repository === undefined) return true
  if (repository === 'none') return false
  const index = look(() => indexOf(repository))
  if (index === undefined) return true
  const is = look(() => statSync(index, { throwIfNoEntry: false }) ?? null)
  if (!is) return is === undefined || look(() => isThere(index)) !== false
  if (is.size > LARGEST_INDEX) return true
  return look(() => mayTell(index) && hasGitlink(readFileSync(index))) ?? true
}

/**
 * The index of a repository: in `.git`, in the place that a file of that name tells, or beside its
 * `HEAD`.
 */
function indexOf(repository: string): string {
  const mark = `${repository}/.git`
  const is = statSync(mark, { throwIfNoEntry: false })
  if (is === undefined) return `${repository}/index`
  if (!is.isFile()) return `${mark}/index`
  const named = /^gitdir: ([^\n]+)\n*$/.exec(readFileSync(mark, 'utf8'))?.[1] ?? ''
  return resolve(repository, named, 'index')
}

/**
 * Whether an index has to be read: nearly none has. It is looked through in pieces, since touching
 * memory for all of it would take longer than the search.
 */
function mayTell(index: string): boolean {
  const fd = openSync(index, 'r')
  try {
    const piece = Buffer.from(new ArrayBuffer(PIECE))
    let looks = 0
    // The end of a piece is looked at once more with the next one: a mark may go across.
    for (let kept = 0; ; kept = OVERLAP) {
      const end = kept + readvSync(fd, [new Uint8Array(piece.buffer, kept)])
      // A buffer has to be asked outside of V8, which takes twice as long.
      const text = piece.toString('latin1', 0, end)
      if (kept === 0 && !isIndex(text)) return true
      if (end <= OVERLAP) return false
      for (const [zeros, mark] of TELLING)
        for (let at = text.indexOf(mark, zeros); at >= 0; at = text.indexOf(mark, at + 1)) {
          if (looks === MOST_LOOKS || isZero(piece, at - zeros, at)) return true
          looks += 1
        }
      piece.copyWithin(0, end - OVERLAP, end)
    }
  } finally {
    closeSync(fd)
  }
}

function isZero(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (bytes[at] !== 0) return false
  return true
}

/** `DIRC` and a version from 2 to 4. */
function isIndex(begin: string): boolean {
  const version = begin.charCodeAt(7)
  return begin.length >= 12 && begin.startsWith('DIRC\0\0\0') && version >= 2 && version <= 4
}

/**
 * Whether an index has an entry for another repository, or is none of the formats that are known
 * here.
 */
export function hasGitlink(bytes: Buffer): boolean {
  if (!isIndex(bytes.toString('latin1', 0, 12))) return true
  const version = bytes.readUInt32BE(4)
  let at = 12
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const next = afterEntry(bytes, at, version)
    if (next === undefined) return true
    at = next
  }
  return !endsPlainly(bytes, at)
}

/**
 * Where the entry ends that begins here; undefined where it is none, or is one for another
 * repository.
 */
function afterEntry(bytes: Buffer, at: number, version: number): number | undefined {
  if (at + 62 >= bytes.length) return undefined
  const mode = bytes.readUInt32BE(at + 24)
  if (mode === GITLINK || !PLAIN_MODES.includes(mode)) return undefined
  const flags = bytes.readUInt16BE(at + 60)
  const isExtended = (flags & 0x4000) !== 0
  if (isExtended && version < 3) return undefined
  let name = at + (isExtended ? 64 : 62)
  if (version === 4) {
    while ((bytes[name] ?? 0) & 0x80) name += 1
    name += 1
  }
  const end = bytes.indexOf(0, name)
  if (end < 0) return undefined
  if (version === 4) return end + 1
  const length = flags & 0xfff
  if (length < 0xfff ? end - name !== length : end - name < 0xfff) return undefined
  // Eight bytes a step, with at least one that is zero.
  return at + Math.floor((end - at + 8) / 8) * 8
}

/** Whether nothing follows but extensions that hold no entries, and the sum of it all. */
function endsPlainly(bytes: Buffer, from: number): boolean {
  let at = from
  while (at + 20 < bytes.length) {
    const name = bytes.toString('latin1', at, at + 4)
    // In small letters are those that one must know to read the entries: parts in another file, or
    // left out.
    if (!/^[A-Z][A-Z0-9]{3}$/.test(name)) return false
    at += 8 + bytes.readUInt32BE(at + 4)
  }
  return at + 20 === bytes.length
}
