import { markOpen, taskIds } from '../../bus/index/indexes.ts'
import { readTask } from '../../bus/index/tasks.ts'
import { writtenAt } from '../../bus/mail/inboxes.ts'
import type { Message } from '../../message/message.ts'
import { isOpenTask } from '../../message/task.ts'
import { entriesIn, lookAt, removeFile } from '../../system/files.ts'
import { GRACE_MS, note, type Sweep } from './finding.ts'
import type { Past } from './past.ts'

/** Brings the marks of open tasks up to their conversations. An `undelivered` one ends none yet. */
export async function sweepTasks(
  sweep: Sweep,
  past: Past,
  undelivered: readonly Message[],
): Promise<void> {
  const { home } = sweep.bus
  if (lookAt(home.tasks) === undefined) return
  const marked = entriesIn(home.openTasks)
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
  const coming = new Set(undelivered.map(({ id }) => id))
  for (const id of marked) await sweepMarked(sweep, id, coming)
  const given = new Map(past.indexed.map(({ id, to }) => [id, to]))
  for (const id of new Set([...taskIds(home), ...tasksIn(past)])) {
    // A result from its holder is enough: to read the conversation of every task would take long.
    if (marked.includes(id) || past.hasResult(id, given.get(id) ?? '')) continue
    const task = readTask(home, id)
    if (!task || !isOpenTask(task.state) || !isSettled(sweep, id)) continue
    await note(sweep, 'unmarked-task', { paths: [home.openTask(id)], name: task.message.to }, () =>
      markOpen(home, id),
    )
  }
}

async function sweepMarked(sweep: Sweep, id: string, coming: ReadonlySet<string>): Promise<void> {
  const { home } = sweep.bus
  const task = readTask(home, id)
  if (task && (isOpenTask(task.state) || coming.has(task.result?.id ?? ''))) return
  // Who ends a task removes its mark right after.
  if (isSettled(sweep, task?.result?.id ?? id))
    await note(sweep, 'ended-task', { paths: [home.openTask(id)] }, () =>
      removeFile(home.openTask(id)),
    )
}

function tasksIn(past: Past): string[] {
  return past.indexed.filter(({ kind }) => kind === 'task').map(({ id }) => id)
}

function isSettled({ bus }: Sweep, id: string): boolean {
  return bus.clock.now() - writtenAt(id, bus.home.message(id)) > GRACE_MS
}
