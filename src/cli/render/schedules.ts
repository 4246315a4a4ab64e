import { clipped } from '../../message/text.ts'
import { visible, visibleLine } from '../../message/visible.ts'
import { localTime } from '../../system/zone.ts'
import type { ScheduleView } from '../../worker/clock/schedule.ts'
import type { Run } from '../../worker/clock/schedules.ts'
import { table } from './table.ts'

const HEADING = ['Schedule', 'When', 'State', 'Next', 'Last', 'Task']

/** All schedules, one a line. */
export function renderSchedules(schedules: ScheduleView[]): string {
  if (schedules.length === 0)
    return 'no schedules; set one up with: agent-chat schedule @name "0 7 * * 1-5" "…"\n'
  return table(
    HEADING,
    schedules.map(({ id, cron, state, next, runs: [last], text }) => [
      id,
      cron,
      state,
      next === null ? 'never' : localTime(next),
      last ? localTime(last.at) : '–',
      clipped(visibleLine(text), 60),
    ]),
  )
}

/** One schedule with its runs, the newest first, and what each one came to. */
export function renderSchedule({ id, worker, cron, text, by, next, runs }: ScheduleView): string {
  const source = by === 'definition' ? ', by its definition' : ''
  const when = next === null ? 'never again' : `next: ${localTime(next)}`
  const head = `${id}  @${worker}${source}\n${cron}  (${when})\n${visible(text)}\n`
  return `${head}${runs.length === 0 ? '\nno runs yet\n' : runs.map(renderRun).join('')}`
}

function renderRun({ at, state, ended, output = '' }: Run): string {
  const until = ended === undefined ? '' : ` until ${localTime(ended)}`
  const came = output === '' ? '' : `${visible(output)}\n`
  return `\n── ${localTime(at)}${until}: ${state} ──\n${came}`
}
