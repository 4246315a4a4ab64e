import { openTasks } from '../../bus/index/tasks.ts'
import { CodedError } from '../../errors.ts'
import { shortId, standsFor } from '../../message/shortId.ts'
import type { Task } from '../../message/task.ts'
import { visibleLine } from '../../message/visible.ts'
import type { Ports } from '../ports.ts'
import { isMeantBy, taskNamed, taskTitle } from '../tasks/task.ts'
import { type Item, itemsOf, SEE } from './list.ts'

/** What a reference to a task stands for: an item of one's own list, or a task that one was given. */
export type Found = { item: Item } | { task: Task }

/**
 * The one task of `name` that `reference` stands for: a part of its id, or some of its words, among
 * the session's own list and the open tasks that it was given. Throws `ID_AMBIGUOUS`, with one line
 * for each that fits, and `TASK_UNKNOWN`.
 */
export function findTask(reference: string, name: string, ports: Pick<Ports, 'bus'>): Found {
  const bus = ports.bus()
  const items = itemsOf(bus, name)
  const tasks = openTasks(bus.home).filter(({ message }) => message.to === name)
  const fitting = (isIt: (id: string, text: string) => boolean): Found[] => [
    ...items
      .filter(({ id, title, description = '' }) => isIt(id, `${title} ${description}`))
      .map((item) => ({ item })),
    ...tasks
      .filter(({ message }) =>
        isIt(message.id, `${message.subject ?? ''} ${message.body} ${message.from}`),
      )
      .map((task) => ({ task })),
  ]
  const part = reference.trim()
  const found = [
    () => fitting((id) => standsFor(part, id)),
    () => fitting((_, text) => isMeantBy(text, part)),
    () => closedTask(part, name, ports),
  ]
  for (const look of found) {
    const [first, ...others] = look()
    if (first === undefined) continue
    if (others.length === 0) return first
    throw several(part, [first, ...others])
  }
  throw new CodedError('TASK_UNKNOWN', 'Task not found', { hint: SEE })
}

/** What a task is about, on one line. */
export function titleOf(found: Found): string {
  return 'item' in found ? visibleLine(found.item.title) : taskTitle(found.task)
}

function closedTask(part: string, name: string, ports: Pick<Ports, 'bus'>): Found[] {
  return /\d/.test(part) ? [{ task: taskNamed([part], name, 'done', ports).task }] : []
}

function several(part: string, found: Found[]): CodedError {
  const lines = found.map((one, at) => {
    const id = 'item' in one ? one.item.id : one.task.message.id
    return `${at + 1}) ${titleOf(one)} (${shortId(id)})`
  })
  const text = `${JSON.stringify(part.slice(0, 60))} fits ${found.length} tasks; nothing was changed`
  const hint = 'give the id of one'
  return new CodedError('ID_AMBIGUOUS', text, { hint, lines })
}
