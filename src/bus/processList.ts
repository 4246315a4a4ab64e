import { readFileSync } from 'node:fs'
import { isErrno } from '../system/errno.ts'
import { replaceFileSoon } from '../system/files.ts'
import { processList } from '../system/processes.ts'
import type { Home } from './home.ts'

/**
 * The list of processes in which sessions start, as Linux names it (`pid:[…]`): from another one, as
 * a sandbox has, none of them can be seen. Undefined where none has started.
 */
export function notedList({ processList: path }: Pick<Home, 'processList'>): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return undefined
    throw error
  }
}

/** Notes that a session starts in the list of processes that this process sees. */
export function noteList(home: Pick<Home, 'processList'>): void {
  const own = processList()
  if (own !== undefined && notedList(home) !== own) replaceFileSoon(home.processList, `${own}\n`)
}
