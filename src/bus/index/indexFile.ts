import { readFileSync } from 'node:fs'
import { idOfFile } from '../../message/id.ts'
import { unless } from '../../system/errno.ts'
import { appendLine } from '../../system/files.ts'

/** Before an id: it is struck off. An index only grows, so that all can write to it at once. */
const STRUCK = '-'

/** The ids that an index lists, each once, oldest first. What is no id is passed over. */
export function readIndex(path: string): string[] {
  const ids = new Set<string>()
  const text = unless(['ENOENT'], () => readFileSync(path, 'utf8')) ?? ''
  for (const line of text.split('\n')) {
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
