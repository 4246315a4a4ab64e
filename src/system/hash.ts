import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isErrno } from './errno.ts'

/** What a file held: its size in bytes, and its SHA-256 in hexadecimal. */
type FileHash = { bytes: number; sha256: string }

/**
 * Reads a plain file from end to end, however long it is, a piece at a time. Gives undefined where
 * there is none, and the reason where it cannot be read or is no plain file: a pipe or a device may
 * have no end.
 */
export async function hashFile(path: string): Promise<FileHash | { why: string } | undefined> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return { why: 'it is a directory' }
    if (!found.isFile()) return { why: 'it is not a plain file' }
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk)
      bytes += chunk.length
    }
    return { bytes, sha256: hash.digest('hex') }
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    if (isErrno(error, 'EACCES', 'EPERM', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EIO'))
      return { why: String(error.code) }
    throw error
  }
}
