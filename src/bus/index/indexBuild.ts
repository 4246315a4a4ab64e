import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { idOfFile } from '../../message/id.ts'
import { isErrno } from '../../system/errno.ts'
import { faultPoint } from '../../system/fault.ts'
import { makeDirectory } from '../../system/files.ts'
import { ownPid } from '../../system/user.ts'
import { eventsFromEnd, isSent, type SentEvent } from '../history.ts'
import type { Home } from '../home.ts'
import { addToIndex } from './indexFile.ts'

/*
 * A home may be older than its indexes, and its history tells of the messages that were sent
 * before. Each directory of indexes is made in one step, so one that is there is whole.
 */

/** Makes `threads/` from the history, unless another process does so first. */
export function buildThreads(home: Home): void {
  build(home.threads, (temporary) => {
    for (const [root, ids] of idsByThread(home)) addToIndex(join(temporary, root), ids)
  })
}

/** Makes `tasks/` from the history, unless another process does so first, with what may be open. */
export function buildTasks(home: Home): void {
  build(home.tasks, (temporary) => {
    const open = join(temporary, basename(home.openTasks))
    mkdirSync(open, { mode: 0o700 })
    const { all, mayBeOpen } = tasksInHistory(home)
    if (all.length > 0) addToIndex(join(temporary, basename(home.allTasks)), all)
    for (const id of mayBeOpen) closeSync(openSync(join(open, id), 'w', 0o600))
  })
}

/** The ids of each conversation but its first, as the history tells, oldest first. */
export function idsByThread(home: Pick<Home, 'history' | 'names'>): Map<string, string[]> {
  const threads = new Map<string, Set<string>>()
  for (const { id, thread } of sentFromEnd(home)) {
    if (thread === id || !isId(thread)) continue
    const ids = threads.get(thread)
    if (ids) ids.add(id)
    else threads.set(thread, new Set([id]))
  }
  return new Map([...threads].map(([thread, ids]) => [thread, [...ids].sort()]))
}

/** The tasks that the history tells of, oldest first, and those without their holder's result. */
export function tasksInHistory(home: Pick<Home, 'history' | 'names'>): {
  all: string[]
  mayBeOpen: string[]
} {
  const tasks = new Map<string, string>()
  const results = new Set<string>()
  for (const { id, kind, to, from, in_reply_to } of sentFromEnd(home)) {
    if (kind === 'task') tasks.set(id, to)
    if (kind === 'result') results.add(`${in_reply_to} ${from}`)
  }
  const all = [...tasks.keys()].reverse()
  return { all, mayBeOpen: all.filter((id) => !results.has(`${id} ${tasks.get(id)}`)) }
}

function* sentFromEnd(home: Pick<Home, 'history' | 'names'>): Generator<SentEvent> {
  for (const event of eventsFromEnd(home)) {
    if (isSent(event) && isId(event.id)) yield event
  }
}

/** Other programs write into the history, too, and may leave something out. */
function isId(value: unknown): boolean {
  return typeof value === 'string' && idOfFile(`${value}.md`) !== undefined
}

function build(directory: string, fill: (temporary: string) => void): void {
  if (existsSync(directory)) return
  const temporary = `${directory}.${ownPid()}.tmp`
  rmSync(temporary, { recursive: true, force: true })
  makeDirectory(temporary)
  try {
    fill(temporary)
    faultPoint('index:built')
    renameSync(temporary, directory)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    // Another process was first. An empty directory is replaced, which loses nothing.
    if (!isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error
  }
}
