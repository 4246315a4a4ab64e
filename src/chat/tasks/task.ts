import { allTasks, openTasks, readTask } from '../../bus/index/tasks.ts'
import { resolveId } from '../../bus/mail/archive.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { quote } from '../../message/name.ts'
import type { Task, TaskState } from '../../message/task.ts'
import { visibleLine } from '../../message/visible.ts'
import type { Ports } from '../ports.ts'

/** So many of the tasks that may have been meant are listed, and so much of each. */
const MAX_LISTED = 5
const LISTED_LENGTH = 60

/**
 * The one task of `name` that `text` stands for: an id or a part of one, else words of it ("the contract one"); among its open tasks first. Throws
 * `USAGE` for no words, `ID_AMBIGUOUS` with what may have been meant, `TASK_UNKNOWN`, or `NOT_ADDRESSED` for a task that is another session's.
 */
export function findTask(text: string, name: string, ports: Pick<Ports, 'bus'>): Task {
  const { home } = ports.bus()
  const wanted = text.trim()
  if (!/[A-Za-z0-9]/.test(wanted) && !/[\p{L}\p{N}]/u.test(wanted)) throw noTask()
  const held = (tasks: Task[]) => tasks.filter(({ message }) => message.to === name)
  const found =
    among(held(openTasks(home)), wanted) ??
    among(held(allTasks(home)), wanted) ??
    inArchive(wanted, name, ports)
  if (found) return found
  throw new CodedError('TASK_UNKNOWN', `no task of @${name} fits ${quote(wanted)}`, {
    hint: 'see them with: agent-chat tasks --mine',
  })
}

/** What a task is about, on one line. */
export function taskTitle({ message }: Pick<Task, 'message'>, length = 120): string {
  const line = message.subject ?? message.body.split('\n').find((text) => text.trim() !== '') ?? ''
  const chars = [...visibleLine(line.trim())]
  return chars.length > length ? `${chars.slice(0, length - 1).join('')}…` : chars.join('')
}

function among(tasks: Task[], wanted: string): Task | undefined {
  const byId = isPartOfId(wanted) ? tasks.filter(({ message }) => message.id.includes(wanted)) : []
  return (
    only(byId, wanted) ??
    only(
      tasks.filter((task) => isMeant(task, wanted)),
      wanted,
    )
  )
}

/** One word with a digit in it. It may be a word of a task all the same. */
function isPartOfId(text: string): boolean {
  return /^\S*\d\S*$/.test(text)
}

/** Words that point at a task without saying which. */
const POINTING = new Set(
  'a about an and for from i in is it me my of on one please task that the this to with'.split(' '),
)

/** Whether every word that says something stands in the task. */
function isMeant({ message }: Task, text: string): boolean {
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => !POINTING.has(word),
  )
  const told = `${message.subject ?? ''} ${message.body} ${message.from}`.toLowerCase()
  return words.every((word) => told.includes(word))
}

function only(tasks: Task[], text: string): Task | undefined {
  if (tasks.length < 2) return tasks[0]
  const list = tasks
    .slice(-MAX_LISTED)
    .map((task) => `${task.message.id} (${taskTitle(task, LISTED_LENGTH)})`)
  const last = tasks.length > MAX_LISTED ? `, the last ${MAX_LISTED} of them` : ''
  throw new CodedError(
    'ID_AMBIGUOUS',
    `${quote(text)} fits ${tasks.length} tasks, and nothing was done${last}: ${list.join('; ')}`,
    { hint: 'say more words of the one that is meant, or its id' },
  )
}

/** Any message by its id: one that is no task, or another session's, is told apart from one that is not there. */
function inArchive(part: string, name: string, { bus }: Pick<Ports, 'bus'>): Task | undefined {
  const { home } = bus()
  const id = isPartOfId(part) ? idOrUndefined(home, part, name) : undefined
  if (id === undefined) return undefined
  const task = readTask(home, id)
  if (!task) {
    throw new CodedError('TASK_UNKNOWN', `${id} is no task`, {
      hint: 'see the tasks with: agent-chat tasks --mine',
    })
  }
  const { to } = task.message
  if (to === name) return task
  throw new CodedError(
    'NOT_ADDRESSED',
    `the task ${id} is not @${name}'s: @${to} ${HOLDING[task.state]}`,
    {
      hint: `see how it stands with: agent-chat thread ${id}`,
    },
  )
}

const HOLDING: Record<TaskState, string> = {
  sent: 'was given it',
  accepted: 'has accepted it',
  working: 'has accepted it, and is working on it',
  done: 'has done it',
  failed: 'has said that it failed',
  declined: 'has declined it',
}

/** A part of several ids says nothing either. */
function idOrUndefined(
  home: ReturnType<Ports['bus']>['home'],
  part: string,
  name: string,
): string | undefined {
  try {
    return resolveId(home, part, name)
  } catch (error) {
    if (isCoded(error, 'MESSAGE_UNKNOWN') || isCoded(error, 'ID_AMBIGUOUS')) return undefined
    throw error
  }
}

function noTask(): CodedError {
  return new CodedError('USAGE', 'no task is named', {
    hint: 'give its id, or words of it; see them with: agent-chat tasks --mine',
  })
}
