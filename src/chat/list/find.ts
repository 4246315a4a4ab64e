import { openTasks } from '../../bus/index/tasks.ts'
import { CodedError } from '../../errors.ts'
import { isShortId, shortId, standsFor } from '../../message/shortId.ts'
import { visibleLine } from '../../message/visible.ts'
import { seenBy, taskSeen } from '../../session/withheld.ts'
import type { Ports } from '../ports.ts'
import { taskTitle } from '../tasks/task.ts'
import { itemsOf, SEE } from './list.ts'
import { type Found, idOf, isPending, orderOf } from './order.ts'
import { idsAt } from './places.ts'
import { isSameText, referenceOf, saysAll, saysSome } from './reference.ts'

type Seen = ReturnType<typeof seenBy>

/** So many of the tasks that may have been meant are listed. */
const MOST_LISTED = 20

/**
 * The one task of `name` that `reference` stands for: its id, its number in the list that
 * was given last, or some of its words, among the session's own list and the open tasks that it was
 * given. Throws `ID_AMBIGUOUS`, with one numbered line for each that fits, and `TASK_UNKNOWN`, with
 * such lines for what comes near.
 */
export function findTask(reference: string, name: string, ports: Pick<Ports, 'bus'>): Found {
  const bus = ports.bus()
  const seen = seenBy({ name, source: 'agent' }, bus)
  const part = reference.trim()
  const id = part.replace(/^(?:the |my )?(?:task|id)? *#?/i, '')
  const { place, words } = referenceOf(part)
  const open: Found[] = [
    ...itemsOf(bus, name).map((item) => ({ item })),
    ...openTasks(bus.home)
      .filter(({ message }) => message.to === name)
      .map((task) => ({ task })),
  ]
  const all = () => orderOf(bus, name, { pending: false })
  const withId = (found: Found[]) => found.filter((one) => isIdOf(id, idOf(one)))
  const saidBy = (found: Found[]) => found.filter((one) => saysAll(textOf(one), words))
  const placed = () => {
    const ids = place === undefined ? [] : idsAt(place, name, bus)
    return ids.flatMap((id) => all().filter((one) => shortId(idOf(one)) === id))
  }
  const nothingSaid = () => (words.length === 0 ? open.filter(isPending) : [])
  const looks = [
    () => withId(open),
    () => withId(all()),
    () => apart([...placed(), ...saidBy(open)]),
    () => saidBy(all().filter((one) => 'task' in one)),
  ]
  for (const look of looks) {
    const found = look()
    if (found.length > 0) return foundSeen(only(part, found, seen), seen)
  }
  const vague = nothingSaid()
  if (vague.length > 0) throw several(part, vague, seen)
  throw notFound(
    open.filter((one) => saysSome(textOf(one), words)),
    seen,
  )
}

/** Four digits of the long id may be a year as well, so it is named as a whole. */
export function isIdOf(part: string, id: string): boolean {
  return isShortId(part) ? standsFor(part, id) : part === id
}

/** What a task is about, on one line. */
export function titleOf(found: Found): string {
  if ('item' in found) return visibleLine(found.item.title)
  return taskTitle('task' in found ? found.task : found.given)
}

/** The short id that a line of candidates ends with. */
export function idInLine(line: string): string | undefined {
  return /\((\w+)(?:, \w+)?\)$/.exec(line)?.[1]
}

/** What others wrote of a task, as its reader is shown it. */
function foundSeen(found: Found, seen: Seen): Found {
  if ('item' in found) return found
  return 'task' in found
    ? { ...found, task: taskSeen(found.task, seen) }
    : { ...found, given: taskSeen(found.given, seen) }
}

function only(part: string, found: Found[], seen: Seen): Found {
  const exact = found.filter((one) => isSameText(titleOf(one), part))
  const [first, ...others] = exact.length === 1 ? exact : found
  if (first !== undefined && others.length === 0) return first
  throw several(part, found, seen)
}

function apart(found: Found[]): Found[] {
  return [...new Map(found.map((one) => [idOf(one), one])).values()]
}

function textOf(found: Found): string {
  if ('item' in found) return `${found.item.title} ${found.item.description ?? ''}`
  const { message } = 'task' in found ? found.task : found.given
  return `${message.subject ?? ''} ${message.body} ${message.from}`
}

function several(part: string, found: Found[], seen: Seen): CodedError {
  const text = `${JSON.stringify(part.slice(0, 60))} fits ${found.length} tasks; nothing was changed`
  const hint = 'ask your user which one; then give its id, or its number here'
  return new CodedError('ID_AMBIGUOUS', text, { hint, lines: linesOf(found, seen) })
}

function notFound(near: Found[], seen: Seen): CodedError {
  const hint =
    near.length === 0 ? SEE : `${SEE}, or give the id or the number of a candidate, if it is meant`
  return new CodedError('TASK_UNKNOWN', 'Task not found', { hint, lines: linesOf(near, seen) })
}

function linesOf(found: Found[], seen: Seen): string[] {
  return found.slice(0, MOST_LISTED).map((one, at) => {
    const state = isPending(one) ? '' : ', completed'
    return `${at + 1}) ${titleOf(foundSeen(one, seen))} (${shortId(idOf(one))}${state})`
  })
}
