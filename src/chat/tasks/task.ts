import { allTasks, openTasks, readTask } from '../../bus/index/tasks.ts'
import { resolveId } from '../../bus/mail/archive.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { quote } from '../../message/name.ts'
import { shortId, standsFor } from '../../message/shortId.ts'
import type { Task, TaskState } from '../../message/task.ts'
import { visibleLine } from '../../message/visible.ts'
import { seenBy, taskSeen } from '../../session/withheld.ts'
import { readerHere } from '../identity.ts'
import type { Ports } from '../ports.ts'

/** So many of the tasks that may have been meant are listed, and so much of each. */
const MAX_LISTED = 5
const LISTED_LENGTH = 60

/** The one of these tasks that there is; throws `ID_AMBIGUOUS` for more than one. */
type Only = (tasks: Task[], text?: string) => Task | undefined

/** A task, and the words behind its name. */
type Named = { task: Task; rest: string[] }

/**
 * The task of `name` that the first of `words` name: an id, words of the task in quotes, or as many
 * words as tell it from the others, which are two at least: one common word names no task. Without
 * words it is the only open one. Looks among the open tasks first. Throws `USAGE`, `ID_AMBIGUOUS`
 * with what may have been meant, `TASK_UNKNOWN`, or `NOT_ADDRESSED` for another session's task.
 */
export function taskNamed(
  words: readonly string[],
  name: string,
  verb: string,
  ports: Pick<Ports, 'bus' | 'env' | 'typed'>,
): Named {
  const { home } = ports.bus()
  const seen = seenBy(readerHere(ports), ports.bus())
  const shown = (task: Task) => taskTitle(taskSeen(task, seen), LISTED_LENGTH)
  const only: Only = (tasks, text) => onlyOf(tasks, shown, text)
  const held = (tasks: Task[]) => tasks.filter(({ message }) => message.to === name)
  const open = held(openTasks(home))
  const [first, ...rest] = words
  if (first === undefined) return { task: onlyOpen(open, name, only), rest }
  const all = held(allTasks(home))
  const task =
    byId(open, first, only) ??
    byId(all, first, only) ??
    inArchive(first, name, ports) ??
    (/\s/.test(first.trim())
      ? (byWords(open, first, only) ?? byWords(all, first, only))
      : undefined)
  if (task) return { task, rest }
  const named = byFirstWords(open, words, only) ?? byFirstWords(all, words, only)
  if (named) return named
  throw noneNamed(words, open, name, verb, shown)
}

/** What a task is about, on one line. */
export function taskTitle({ message }: Pick<Task, 'message'>, length = 120): string {
  const line = message.subject ?? message.body.split('\n').find((text) => text.trim() !== '') ?? ''
  const chars = [...visibleLine(line.trim())]
  return chars.length > length ? `${chars.slice(0, length - 1).join('')}…` : chars.join('')
}

function onlyOpen(open: Task[], name: string, only: Only): Task {
  const task = only(open)
  if (task) return task
  throw new CodedError('TASK_UNKNOWN', `@${name} has no open task`, {
    hint: 'see the tasks with: agent-chat tasks --mine',
  })
}

function byId(tasks: Task[], part: string, only: Only): Task | undefined {
  if (!isPartOfId(part)) return undefined
  return only(
    tasks.filter(({ message }) => standsFor(part, message.id)),
    part,
  )
}

function byWords(tasks: Task[], text: string, only: Only): Task | undefined {
  const meant = tasks.filter((task) => isMeant(task, text))
  const title = split(text).join(' ')
  const exact = meant.filter((task) => split(taskTitle(task)).join(' ') === title)
  return only(exact.length === 1 ? exact : meant, text)
}

/** The fewest words that name one task; `one` or `task` behind them is part of its name. */
function byFirstWords(tasks: Task[], words: readonly string[], only: Only): Named | undefined {
  for (let count = 2; count <= words.length; count += 1) {
    const text = words.slice(0, count).join(' ')
    if (wordsIn(text).length === 0) continue
    const meant = tasks.filter((task) => isMeant(task, text))
    if (meant.length === 0) return undefined
    const task = count === words.length ? only(meant, text) : meant[0]
    if (task === undefined || meant.length > 1) continue
    const more = /^(one|task)$/i.test(words[count] ?? '') ? 1 : 0
    return { task, rest: words.slice(count + more) }
  }
  return undefined
}

function noneNamed(
  words: readonly string[],
  open: Task[],
  name: string,
  verb: string,
  shown: (task: Task) => string,
): CodedError {
  const [first = ''] = words
  const saysNothing = !/[\p{L}\p{N}]/u.test(first)
  const fitting = open.filter((task) => !saysNothing && isMeant(task, first))
  const [task] = fitting.length === 1 ? fitting : open.length === 1 ? open : []
  const isName = saysNothing || fitting.length > 0 || isPartOfId(first)
  const said = (isName ? words.slice(1) : words).join(' ')
  const typed = said === '' || verb === 'accept' ? '' : ` ${JSON.stringify(said)}`
  const see = 'see them with: agent-chat tasks --mine'
  const hint =
    task === undefined
      ? `give its id, or some of its words in quotes; ${see}`
      : `for "${shown(task)}": agent-chat ${verb} ${shortId(task.message.id)}${typed}`
  const text = words.join(' ')
  return saysNothing || (words.length === 1 && fitting.length > 0)
    ? new CodedError('USAGE', `${quote(first)} does not say which task`, { hint })
    : new CodedError('TASK_UNKNOWN', `no task of @${name} fits ${quote(text)}`, { hint })
}

/** One word with a digit in it. It may be a word of a task all the same. */
function isPartOfId(text: string): boolean {
  return /^\S*\d\S*$/.test(text)
}

/** Words that point at a task without saying which. */
const POINTING = new Set(
  'a about an and for from i in is it me my of on one please task that the this to with'.split(' '),
)

/** Whether every word that says something is a word of the task. */
function isMeant({ message }: Task, text: string): boolean {
  const { subject = '', body, from } = message
  return wordsIn(text).every(among(`${subject} ${body} ${from}`))
}

function among(told: string): (word: string) => boolean {
  const words = new Set(split(told))
  return (word) => words.has(word)
}

/** The words of a text that say something. */
function wordsIn(text: string): string[] {
  return split(text).filter((word) => !POINTING.has(word))
}

function split(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function onlyOf(tasks: Task[], shown: (task: Task) => string, text?: string): Task | undefined {
  if (tasks.length < 2) return tasks[0]
  const list = tasks
    .slice(-MAX_LISTED)
    .map((task) => `${shortId(task.message.id)} (${shown(task)})`)
  const last = tasks.length > MAX_LISTED ? `, the last ${MAX_LISTED} of them` : ''
  throw new CodedError(
    'ID_AMBIGUOUS',
    `${text === undefined ? `${tasks.length} tasks are open` : `${quote(text)} fits ${tasks.length} tasks`}; nothing was changed${last}: ${list.join('; ')}`,
    { hint: 'give the id of one, or more of its words in quotes' },
  )
}

/**
 * Any message by its id: one that is no task, or another session's, is told apart from one that is
 * not there.
 */
function inArchive(part: string, name: string, { bus }: Pick<Ports, 'bus'>): Task | undefined {
  const { home } = bus()
  const id = isPartOfId(part) ? idOrUndefined(home, part, name) : undefined
  if (id === undefined) return undefined
  const task = readTask(home, id)
  if (!task) {
    throw new CodedError('TASK_UNKNOWN', `${shortId(id)} is not a task`, {
      hint: 'see the tasks with: agent-chat tasks --mine',
    })
  }
  const { to } = task.message
  if (to === name) return task
  throw new CodedError(
    'NOT_ADDRESSED',
    `the task ${shortId(id)} is not for @${name}: @${to} ${HOLDING[task.state]}`,
    {
      hint: `see its state with: agent-chat thread ${shortId(id)}`,
    },
  )
}

const HOLDING: Record<TaskState, string> = {
  sent: 'has it',
  accepted: 'has accepted it',
  working: 'is working on it',
  done: 'has finished it',
  failed: 'has failed it',
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
