import { closeSync, existsSync, openSync } from 'node:fs'
import { escalationOf } from '../../message/escalation.ts'
import type { Message } from '../../message/message.ts'
import { endsTask } from '../../message/task.ts'
import { making, unless } from '../../system/errno.ts'
import { makeDirectory, namesIn, removeFile } from '../../system/files.ts'
import type { Home } from '../home.ts'
import { nameEscalation } from './escalations.ts'
import { buildTasks, buildThreads, idsByThread, tasksInHistory } from './indexBuild.ts'
import { addToIndex, readIndex, strikeFromIndex } from './indexFile.ts'

/*
 * Indexes say where to look, not how things stand: `threads/<id>` lists the messages of a
 * conversation but the first, `tasks/all` every task, `tasks/open/` holds the names of those that
 * may be open, `escalations/<n>` the id of decision n. All of it can be made again.
 */

type Indexed = Pick<Message, 'id' | 'thread' | 'kind' | 'extra'>

/** Takes a message that is being sent into the indexes of conversations, tasks, decisions. */
export function noteInIndexes(home: Home, message: Indexed): void {
  const number = escalationOf(message)?.number
  if (number !== undefined) nameEscalation(home, number, message.id)
  if (message.thread !== message.id)
    add(home.thread(message.thread), message.id, () => buildThreads(home))
  if (message.kind !== 'task') return
  add(home.allTasks, message.id, () => buildTasks(home))
  markOpen(home, message.id)
}

/** Strikes a message that was not sent off the indexes. Its number is its sender's to give back. */
export function forgetInIndexes(home: Home, message: Indexed): void {
  if (message.thread !== message.id && existsSync(home.threads))
    strikeFromIndex(home.thread(message.thread), message.id)
  if (message.kind !== 'task' || !existsSync(home.tasks)) return
  strikeFromIndex(home.allTasks, message.id)
  removeFile(home.openTask(message.id))
}

/** Strikes a task off the open ones once the message that ends it was delivered. */
export function noteTaskEnd(
  home: Home,
  task: Parameters<typeof endsTask>[0],
  message: Message,
): void {
  if (endsTask(task, message)) removeFile(home.openTask(task.id))
}

/** The ids of a conversation, the first message's before all others, then oldest first. */
export function threadIds(home: Home, root: string): string[] {
  const made = isMade(home, home.threads, buildThreads)
  const ids = made ? readIndex(home.thread(root)) : (idsByThread(home).get(root) ?? [])
  return [root, ...ids.filter((id) => id !== root)]
}

/** The ids of every task, oldest first. */
export function taskIds(home: Home): string[] {
  return isMade(home, home.tasks, buildTasks) ? readIndex(home.allTasks) : tasksInHistory(home).all
}

/** The ids of the tasks that may be open, oldest first. */
export function openTaskIds(home: Home): string[] {
  return isMade(home, home.tasks, buildTasks)
    ? namesIn(home.openTasks).sort()
    : tasksInHistory(home).mayBeOpen
}

/** Marks a task as one that may be open. */
export function markOpen(home: Home, id: string): void {
  makeDirectory(home.openTasks)
  closeSync(openSync(home.openTask(id), 'w', 0o600))
}

function add(path: string, id: string, build: () => void): void {
  making(build, () => addToIndex(path, [id]))
}

/** Whether there are indexes. Who only reads makes no home, and may have to read the history. */
function isMade(home: Home, directory: string, build: (home: Home) => void): boolean {
  if (existsSync(directory)) return true
  if (!existsSync(home.history)) return false
  unless(['EROFS', 'EACCES', 'ENOSPC', 'EDQUOT'], () => build(home))
  return existsSync(directory)
}
