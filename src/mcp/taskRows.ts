import { itemJson } from '../chat/list/list.ts'
import { orderOf } from '../chat/list/order.ts'
import type { Ports } from '../chat/ports.ts'
import { taskTitle } from '../chat/tasks/task.ts'
import { shortId } from '../message/shortId.ts'
import { isOpenTask, type Task } from '../message/task.ts'
import { clipped } from '../message/text.ts'
import { seenBy, taskSeen } from '../session/withheld.ts'

/** `own`: the session's list; `received`, `given`: tasks between sessions. */
export const WHICH = ['own', 'received', 'given'] as const

export const STATUS = ['all', 'pending', 'completed', 'overdue'] as const

type Request = {
  status: (typeof STATUS)[number]
  which: (typeof WHICH)[number] | undefined
  limit: number
}

const RESULT_LENGTH = 300

/** Tasks of `name` and of nobody else, oldest first, the last `limit` of them. */
export function listTasks(
  { status, which, limit }: Request,
  name: string,
  { bus }: Pick<Ports, 'bus'>,
): Record<string, unknown>[] {
  const now = bus().clock.now()
  const seen = seenBy({ name, source: 'agent' }, bus())
  const pending = status === 'pending' || status === 'overdue'
  return orderOf(bus(), name, { pending })
    .map((found): Record<string, unknown> => {
      if ('item' in found) return { which: 'own', ...itemJson(found.item, now) }
      return taskRow(taskSeen('task' in found ? found.task : found.given, seen), name, now)
    })
    .filter((row) => which === undefined || row.which === which)
    .filter((row) => status !== 'completed' || row.status === status)
    .filter((row) => status !== 'overdue' || row.overdue === true)
    .slice(-limit)
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
