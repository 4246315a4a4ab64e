import type { Command } from 'commander'
import { EXIT } from '../../chat/exit.ts'
import { CodedError } from '../../errors.ts'
import { shortId } from '../../message/shortId.ts'
import { clipped } from '../../message/text.ts'
import { visible, visibleLine } from '../../message/visible.ts'
import { supervisorOf } from '../../session/workers.ts'
import { localTime } from '../../system/zone.ts'
import type { ScheduleView } from '../../worker/clock/schedule.ts'
import {
  addSchedule,
  listSchedules,
  removeSchedule,
  runSchedule,
  scheduleOf,
} from '../../worker/clock/schedule.ts'
import type { Run } from '../../worker/clock/schedules.ts'
import { addCommand } from '../command.ts'
import type { Ports } from '../ports.ts'
import { table } from '../render/table.ts'

type Flags = { json?: boolean }
type Action = (id: string, flags: Flags, ports: Ports) => void | Promise<void>

const ACTIONS: Record<string, Action> = { show, run, remove, delete: remove, rm: remove }

const EXAMPLE = 'agent-chat schedule @researcher "0 7 * * 1-5" "digest of yesterday"'

export function scheduleCommand(program: Command, ports: Ports): void {
  addCommand(
    program,
    'schedule',
    `${EXAMPLE}\nagent-chat schedule\nagent-chat schedule run researcher.1`,
  )
    .argument('[worker]', 'a worker, as @name; or show, run or remove; else all are listed')
    .argument('[when]', 'minute, hour, day, month, weekday, in quotes; else the id of a schedule')
    .argument('[text...]', 'the task')
    .action(
      async (what: string | undefined, when: string | undefined, text: string[], flags: Flags) => {
        if (what === undefined || ((what === 'list' || what === 'ls') && when === undefined))
          return list(flags, ports)
        if (!Object.hasOwn(ACTIONS, what)) return add(what, when, text, flags, ports)
        if (when === undefined || text.length > 0) throw missingId(what)
        await ACTIONS[what]?.(when, flags, ports)
      },
    )
}

function list({ json }: Flags, ports: Ports): void {
  const schedules = listSchedules(ports)
  ports.print(json ? `${JSON.stringify({ schedules })}\n` : renderSchedules(schedules))
  if (schedules.length > 0) tellStopped(ports)
}

function add(
  worker: string,
  cron: string | undefined,
  text: string[],
  { json }: Flags,
  ports: Ports,
): void {
  if (cron === undefined || text.join('').trim() === '')
    throw new CodedError('USAGE', `the ${cron === undefined ? 'time' : 'task'} is missing`, {
      hint: EXAMPLE,
    })
  const made = addSchedule({ worker, cron, text: text.join(' ') }, ports)
  const next = made.next === null ? 'never' : localTime(made.next)
  ports.print(json ? `${JSON.stringify(made)}\n` : `scheduled ${made.id}, next: ${next}\n`)
  tellStopped(ports)
}

function show(id: string, { json }: Flags, ports: Ports): void {
  const schedule = scheduleOf(id, ports)
  ports.print(json ? `${JSON.stringify(schedule)}\n` : renderSchedule(schedule))
}

async function run(id: string, { json }: Flags, ports: Ports): Promise<void> {
  const given = await runSchedule(id, ports)
  if (given.task === undefined) ports.setExitCode(EXIT.fault)
  const text =
    given.task === undefined
      ? `the run failed: ${given.output}`
      : `running, as the task ${shortId(given.task)}; see what came of it: agent-chat schedule show ${id}`
  ports.print(`${json ? JSON.stringify(given) : text}\n`)
}

function remove(id: string, { json }: Flags, ports: Ports): void {
  const removed = removeSchedule(id, ports)
  ports.print(json ? `${JSON.stringify(removed)}\n` : `removed ${removed.id}\n`)
}

/** A schedule is run by the supervisor, and by nothing else. */
function tellStopped({ bus, notice }: Ports): void {
  if (supervisorOf(bus()) === undefined)
    notice('no supervisor runs now, so nothing runs schedules; start it with: agent-chat up')
}

function missingId(action: string): CodedError {
  return new CodedError('USAGE', `${action} takes the id of one schedule`, {
    hint: `agent-chat schedule ${action} researcher.1; see the ids with: agent-chat schedule`,
  })
}

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
