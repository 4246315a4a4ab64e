import { readFileSync, statSync } from 'node:fs'
import { isErrno } from './errno.ts'

/** The value in a file; undefined where there is no file, null where it holds no JSON. */
export function readJson(path: string): unknown {
  // Node takes five times as long to make the error of one that is missing.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** The value of a text; undefined where it is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A field of something that anybody may have written; undefined where there is none. */
export function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value
    ? (value as Record<string, unknown>)[key]
    : undefined
}
