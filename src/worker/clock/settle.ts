import type { Home } from '../../bus/home.ts'
import { readTask } from '../../bus/index/tasks.ts'
import { isOpenTask } from '../../message/task.ts'
import { clipped } from '../../message/text.ts'
import { isoTime } from '../../message/time.ts'
import type { Definition } from '../definition/definition.ts'
import type { Run, Schedule, Schedules } from './schedules.ts'

/** So much of what a run came to is kept with it, in characters. */
const OUTPUT = 4000

/** The schedules with their runs as their tasks are now: a task that has ended ends its run. */
export function settled(schedules: Schedules, home: Home): Schedules {
  return mapped(schedules, (schedule) => {
    const runs = schedule.runs.map((run) => settledRun(run, home))
    return runs.every((run, at) => run === schedule.runs[at]) ? schedule : { ...schedule, runs }
  })
}

/**
 * The schedules with those that definitions have. One that is new, or changed, begins at `now`;
 * those of `gone`, workers whose definition has no schedule any more, are left out.
 */
export function withDefined(
  schedules: Schedules,
  defined: readonly Definition[],
  isGone: (worker: string) => boolean,
  now: number,
): Schedules {
  const kept = Object.entries(schedules).filter(
    ([, { by, worker }]) => by === 'command' || !isGone(worker),
  )
  const wanted = defined.flatMap(({ name, schedule: cron, scheduledPrompt: text }) => {
    if (cron === undefined || text === undefined) return []
    const former = schedules[name]
    if (former?.cron === cron && former.text === text) return []
    const runs = former?.runs ?? []
    const by = 'definition' as const
    return [{ id: name, worker: name, cron, text, by, since: isoTime(now), runs }]
  })
  if (wanted.length === 0 && kept.length === Object.keys(schedules).length) return schedules
  return { ...Object.fromEntries(kept), ...Object.fromEntries(wanted.map((one) => [one.id, one])) }
}

function settledRun(run: Run, home: Home): Run {
  if (run.state !== 'running' || run.task === undefined) return run
  const task = readTask(home, run.task)
  if (task === undefined) return { ...run, state: 'failed', output: 'its task was removed' }
  if (isOpenTask(task.state)) return run
  const { state, since, result } = task
  return {
    ...run,
    state: state === 'done' ? 'completed' : 'failed',
    ended: since,
    output: clipped(result?.body ?? '', OUTPUT),
    ...(result ? { result: result.id } : {}),
  }
}

/** The same object where no schedule is another. */
function mapped(schedules: Schedules, change: (schedule: Schedule) => Schedule): Schedules {
  const entries = Object.entries(schedules).map(([id, one]) => [id, change(one)] as const)
  return entries.every(([id, one]) => one === schedules[id])
    ? schedules
    : Object.fromEntries(entries)
}
