import { readFileSync } from 'node:fs'
import { idOfFile } from '../message/id.ts'
import { isErrno } from '../system/errno.ts'
import { appendLine } from '../system/files.ts'

/** Before an id: it is struck off. Nothing is ever taken out of an index, so that all who write to it can write at once. */
const STRUCK = '-'

/** The ids that an index lists, each once, oldest first. What is no id is passed over; an index that is not there lists none. */
export function readIndex(path: string): string[] {
  const ids = new Set<string>()
  for (const line of linesOf(path)) {
    if (line.startsWith(STRUCK)) ids.delete(line.slice(STRUCK.length))
    else if (idOfFile(`${line}.md`) !== undefined) ids.add(line)
  }
  return [...ids].sort()
}

/** Adds ids to an index, in one write. Throws `ENOENT` where its directory is not there. */
export function addToIndex(path: string, ids: readonly string[]): void {
  appendLine(path, ids.join('\n'))
}

/** Strikes an id off an index: that message was not sent. */
export function strikeFromIndex(path: string, id: string): void {
  appendLine(path, `${STRUCK}${id}`)
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}
