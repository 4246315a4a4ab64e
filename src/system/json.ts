import { readFileSync } from 'node:fs'
import { isErrno } from './errno.ts'

/** The value in a file; undefined where there is no file, null where it holds no JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    if (error instanceof SyntaxError) return null
    throw error
  }
}
