import type { Bus } from '../../bus/bus.ts'
import type { Home } from '../../bus/home.ts'
import { changeFile } from '../../system/changeFile.ts'
import { makeDirectory } from '../../system/files.ts'
import { readJson } from '../../system/json.ts'
import type { ProcessRef } from '../../system/processes.ts'

/** So many runs of a schedule are kept, the newest first. */
const KEPT = 20

/**
 * One run. `due`: the time that it is for, ISO 8601 as all times. `by`: the process that gives its
 * task, until `task` is the id of that. `output`: the beginning of what the task came to, or why it
 * was not given; `result`: the id of the message that has all of it.
 */
export type Run = {
  due: string
  at: string
  state: 'running' | 'completed' | 'failed'
  by?: ProcessRef
  task?: string
  ended?: string
  output?: string
  result?: string
}

/**
 * A task that a worker is given again and again. `by`: the human, with `agent-chat schedule`, or the
 * worker's definition. Runs come after `since`. `last`: the time of the last run by the calendar.
 */
export type Schedule = {
  id: string
  worker: string
  cron: string
  text: string
  by: 'command' | 'definition'
  since: string
  last?: string
  runs: Run[]
}

export type Schedules = Record<string, Schedule>

/** All schedules that are kept, by their ids; none where the file says nothing. */
export function readSchedules(home: Pick<Home, 'schedules'>): Schedules {
  const value = readJson(home.schedules)
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).filter(([, one]) => isSchedule(one)))
}

/** Changes the schedules, one process at a time. What `work` gives beside them is the answer. */
export function changeSchedules<T>(
  { home, processes }: Bus,
  work: (schedules: Schedules) => [Schedules, T],
): T {
  makeDirectory(home.workers)
  return changeFile({ path: home.schedules, lock: home.schedulesLock, processes }, (replace) => {
    const before = readSchedules(home)
    const [after, answer] = work(before)
    if (after !== before) replace(`${JSON.stringify(after)}\n`)
    return answer
  })
}

/** A schedule with a run more. */
export function withRun(schedule: Schedule, run: Run): Schedule {
  return { ...schedule, runs: [run, ...schedule.runs].slice(0, KEPT) }
}

/** The run that goes on, if one does. */
export function runningIn({ runs }: Schedule): Run | undefined {
  return runs.find(({ state }) => state === 'running')
}

function isSchedule(value: unknown): value is Schedule {
  if (typeof value !== 'object' || value === null) return false
  const { runs, ...fields } = value as Partial<Record<keyof Schedule, unknown>>
  const { id, worker, cron, text, since } = fields
  return (
    [id, worker, cron, text, since].every((one) => typeof one === 'string') && Array.isArray(runs)
  )
}
