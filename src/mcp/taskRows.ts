import { allTasks, openTasks } from '../bus/index/tasks.ts'
import { itemJson, itemsOf } from '../chat/list/list.ts'
import type { Ports } from '../chat/ports.ts'
import { taskTitle } from '../chat/tasks/task.ts'
import { shortId } from '../message/shortId.ts'
import { isOpenTask, type Task } from '../message/task.ts'
import { clipped } from '../message/text.ts'

/** `own`: the session's list; `received`, `given`: tasks between sessions. */
export const WHICH = ['own', 'received', 'given'] as const

type Request = {
  status: 'all' | 'pending' | 'completed'
  which: (typeof WHICH)[number] | undefined
  limit: number
}

/** So many of the newest tasks are looked at, however old the home is. */
const NEWEST = 500
const RESULT_LENGTH = 300

/** Tasks of `name` and of nobody else, oldest first, the last `limit` of them. */
export function listTasks(
  { status, which, limit }: Request,
  name: string,
  { bus }: Pick<Ports, 'bus'>,
): Record<string, unknown>[] {
  const is = (one: string) => which === undefined || which === one
  const { home, clock } = bus()
  const items = is('own') ? itemsOf(bus(), name) : []
  const tasks =
    which === 'own' ? [] : status === 'pending' ? openTasks(home) : allTasks(home, NEWEST)
  const mine = tasks.filter(
    ({ message }) =>
      (is('received') && message.to === name) || (is('given') && message.from === name),
  )
  const rows = [
    ...items.map((item) => ({ at: item.id, row: { which: 'own', ...itemJson(item) } })),
    ...mine.map((task) => ({ at: task.message.id, row: taskRow(task, name, clock.now()) })),
  ]
  return rows
    .filter(({ row }) => status === 'all' || Object(row).status === status)
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .slice(-limit)
    .map(({ row }) => row)
}

/** A task between sessions as data; `overdue`: it is open, and its time is over. */
export function taskRow(task: Task, name: string, now: number): Record<string, unknown> {
  const { message, state, since, result } = task
  const { id, from, to, extra } = message
  const open = isOpenTask(state)
  const by = typeof extra.expected_by === 'string' ? extra.expected_by : undefined
  return {
    which: to === name ? 'received' : 'given',
    id: shortId(id),
    task_id: id,
    title: taskTitle(task),
    status: open ? 'pending' : 'completed',
    ...{ state, since, from, to },
    ...(by === undefined ? {} : { expected_by: by, overdue: open && Date.parse(by) < now }),
    ...(result === undefined ? {} : { result: clipped(result.body, RESULT_LENGTH) }),
  }
}
