import { isUtf8 } from 'node:buffer'
import { statSync } from 'node:fs'
import { hashFile } from '../../system/hash.ts'
import { readFile } from '../../system/terminal.ts'

/** What a file held that could be read. */
export type Content =
  | { what: 'text'; text: string; bytes: number; sha256: string }
  | { what: 'binary' | 'huge'; bytes: number; sha256: string }

/** What a watched file held. `before` is what it held when it could last be read. */
export type Snapshot =
  | Content
  | { what: 'missing'; before?: Content | undefined }
  | { what: 'unreadable'; why: string; before?: Content | undefined }

/** A file longer than this is told of by its size alone, in bytes. */
const MAX_TEXT_BYTES = 512 * 1024

/** What a file holds now. */
export async function snapshotOf(path: string): Promise<Snapshot> {
  const hash = await hashFile(path)
  if (hash === undefined) return { what: 'missing' }
  if ('why' in hash) return { what: 'unreadable', why: hash.why }
  if (hash.bytes > MAX_TEXT_BYTES) return { what: 'huge', ...hash }
  const bytes = readFile(path, MAX_TEXT_BYTES)
  if (bytes.length !== hash.bytes || !isUtf8(bytes) || bytes.includes(0))
    return { what: 'binary', ...hash }
  return { what: 'text', text: bytes.toString('utf8'), ...hash }
}

/** Whether two looks saw the same. */
export function isSame(one: Snapshot, other: Snapshot): boolean {
  if ('sha256' in one && 'sha256' in other) return one.sha256 === other.sha256
  if (one.what === 'unreadable' && other.what === 'unreadable') return one.why === other.why
  return one.what === other.what
}

/**
 * What a change of a file changes, without reading it: another file under its name, its size, its
 * times.
 */
export function stampOf(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat === undefined
      ? 'missing'
      : [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs, stat.mode].join(' ')
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
  }
}
