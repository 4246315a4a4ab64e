import type { Bus } from '../../bus/bus.ts'
import { allTasks, openTasks } from '../../bus/index/tasks.ts'
import { isOpenTask, type Task } from '../../message/task.ts'
import { type Item, itemsOf } from './list.ts'

/** A task of a session: an item of its own list, one that it was given, or one that it gave. */
export type Found = { item: Item } | { task: Task } | { given: Task }

/** So many of the newest tasks are looked at, however old the home is. */
const NEWEST = 500

/** Every task of `name`, oldest first: what `list_tasks` lists, and the order of its numbers. */
export function orderOf(bus: Bus, name: string, which: { pending: boolean }): Found[] {
  const { home } = bus
  const items = itemsOf(bus, name).map((item): Found => ({ item }))
  const tasks = which.pending ? openTasks(home) : allTasks(home, NEWEST)
  const between = tasks.flatMap((task): Found[] => {
    if (task.message.to === name) return [{ task }]
    return task.message.from === name ? [{ given: task }] : []
  })
  return [...items, ...between]
    .filter((one) => !which.pending || isPending(one))
    .sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
}

export function idOf(found: Found): string {
  if ('item' in found) return found.item.id
  return 'task' in found ? found.task.message.id : found.given.message.id
}

export function isPending(found: Found): boolean {
  if ('item' in found) return found.item.status === 'pending'
  return isOpenTask(('task' in found ? found.task : found.given).state)
}
