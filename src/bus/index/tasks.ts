import { isOpenTask, type Task, taskFrom } from '../../message/task.ts'
import { unless } from '../../system/errno.ts'
import { removeFile } from '../../system/files.ts'
import type { Home } from '../home.ts'
import { messageAt } from '../mail/inbox.ts'
import { openTaskIds, taskIds } from './indexes.ts'
import { readThread } from './threads.ts'

/** The task with this id, as its conversation tells; undefined where that message is no task. */
export function readTask(home: Home, id: string): Task | undefined {
  const message = messageAt(home.message(id), id, home)
  if (message?.kind !== 'task') return undefined
  return taskFrom(message, readThread(home, message.thread).messages)
}

/** Every task, or the last `count` of them, oldest first. */
export function allTasks(home: Home, count?: number): Task[] {
  const ids = taskIds(home)
  return tasksOf(home, count === undefined ? ids : ids.slice(-count))
}

/** The last so many tasks, and every open one, oldest first. */
export function lastTasks(home: Home, count: number): Task[] {
  const ids = new Set([...openTaskIds(home), ...taskIds(home).slice(-count)])
  return tasksOf(home, [...ids].sort())
}

/** The open tasks, oldest first, in time that grows with these. Strikes off what has ended. */
export function openTasks(home: Home): Task[] {
  const marked = openTaskIds(home)
  const open = tasksOf(home, marked).filter(({ state }) => isOpenTask(state))
  const ids = new Set(open.map(({ message }) => message.id))
  for (const id of marked) if (!ids.has(id)) strikeOff(home, id)
  return open
}

function tasksOf(home: Home, ids: string[]): Task[] {
  return ids.map((id) => readTask(home, id)).filter((task) => task !== undefined)
}

/** To strike off saves the next look some work; where it cannot be done, nothing is lost. */
function strikeOff(home: Home, id: string): void {
  unless(['EROFS', 'EACCES', 'EPERM', 'EISDIR'], () => removeFile(home.openTask(id)))
}
