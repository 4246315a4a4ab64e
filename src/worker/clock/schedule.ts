import { record } from '../../bus/history.ts'
import { parseBody } from '../../bus/mail/draft.ts'
import { requireHuman } from '../../chat/human.ts'
import type { Ports } from '../../chat/ports.ts'
import { CodedError } from '../../errors.ts'
import { parseSessionName, quote } from '../../message/name.ts'
import { nearest } from '../../message/nearest.ts'
import { isoTime } from '../../message/time.ts'
import { comesBack, isOfSession, shownWorker } from '../../session/workers.ts'
import { localTime } from '../../system/zone.ts'
import { requireDefinition } from '../definition/list.ts'
import { cronTrouble, nextTime } from './calendar.ts'
import { currentSchedules, giveRun, newRun, type RunPorts } from './run.ts'
import {
  changeSchedules,
  type Run,
  readSchedules,
  runningIn,
  type Schedule,
  withRun,
} from './schedules.ts'

type SchedulePorts = Pick<Ports, 'bus' | 'env' | 'cwd'>

/** A schedule with its next time, ISO 8601; null for one that does not come any more. */
export type ScheduleView = Schedule & { state: 'scheduled' | Run['state']; next: string | null }

/** All schedules, those of definitions too. */
export function listSchedules(ports: Pick<Ports, 'bus' | 'cwd'>): ScheduleView[] {
  const { home, clock } = ports.bus()
  const all = currentSchedules(readSchedules(home), ports, clock.now())
  return Object.values(all)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((schedule) => viewOf(schedule, clock.now()))
}

/**
 * Sets up a task that a worker is given at the times of `cron`: the human's word for each run.
 * Throws `GATE_REFUSED` in a turn without it, as `requireDefinition()`, and `USAGE`.
 */
export function addSchedule(
  request: { worker: string; cron: string; text: string },
  ports: SchedulePorts,
): ScheduleView {
  requireHuman('schedule', ports)
  const worker = parseSessionName(request.worker)
  const cron = request.cron.trim()
  const trouble = cronTrouble(cron)
  if (trouble !== undefined)
    throw new CodedError('USAGE', `${quote(cron)} does not say when: ${trouble}`, {
      hint: `minute, hour, day, month, weekday: agent-chat schedule @${worker} "0 7 * * 1-5" "…"`,
    })
  const text = parseBody(Buffer.from(request.text))
  requireDefinition(worker, ports)
  const bus = ports.bus()
  const since = isoTime(bus.clock.now())
  const made = changeSchedules(bus, (all) => {
    const id = freeId(worker, Object.keys(all))
    const one: Schedule = { id, worker, cron, text, by: 'command', since, runs: [] }
    return [{ ...all, [id]: one }, one]
  })
  record(bus, 'scheduled', { id: made.id, worker, cron })
  return viewOf(made, bus.clock.now())
}

/**
 * Gives the task of a schedule now. Throws `SCHEDULE_UNKNOWN`, `GATE_REFUSED`, and `LOCKED` where
 * its last run goes on.
 */
export async function runSchedule(part: string, ports: RunPorts): Promise<Run> {
  requireHuman('schedule run', ports)
  const { id, worker } = scheduleOf(part, ports)
  requireDefinition(worker, ports)
  const bus = ports.bus()
  const now = bus.clock.now()
  const run = newRun(now, now, bus.processes.self())
  const schedule = changeSchedules(bus, (before) => {
    const all = currentSchedules(before, ports, now)
    const { [id]: one } = all
    if (!one) throw unknownSchedule(id, Object.keys(all))
    const running = runningIn(one)
    if (running) throw stillRunning(id, running)
    const next = withRun(one, run)
    return [{ ...all, [id]: next }, next]
  })
  if (isOfSession(bus, worker))
    ports.notice(
      `@${worker} is a session of yours now, and gets this task; it is the worker's again after: agent-chat leave ${worker}`,
    )
  else if (!shownWorker(bus, worker)?.runs && !comesBack(bus, worker))
    ports.notice(`@${worker} does not run; its inbox keeps this: agent-chat up ${worker}`)
  return giveRun({ schedule, run, left: false }, ports)
}

/** Removes a schedule. Throws `SCHEDULE_UNKNOWN`, `GATE_REFUSED`, and `USAGE` for a definition's. */
export function removeSchedule(part: string, ports: SchedulePorts): Schedule {
  requireHuman('schedule remove', ports)
  const found = scheduleOf(part, ports)
  if (found.by === 'definition')
    throw new CodedError(
      'USAGE',
      `the schedule ${found.id} is a part of the definition of @${found.worker}`,
      {
        hint: `remove schedule and prompt from its file; see: agent-chat agents show ${found.worker}`,
      },
    )
  const bus = ports.bus()
  changeSchedules(bus, ({ [found.id]: _, ...others }) => [others, undefined])
  record(bus, 'unscheduled', { id: found.id, worker: found.worker })
  return found
}

/** The schedule of this id. Throws `SCHEDULE_UNKNOWN`. */
export function scheduleOf(part: string, ports: Pick<Ports, 'bus' | 'cwd'>): ScheduleView {
  const id = part.replace(/^@/, '')
  const all = listSchedules(ports)
  const found = all.find((one) => one.id === id)
  if (found) return found
  throw unknownSchedule(
    id,
    all.map((one) => one.id),
  )
}

function unknownSchedule(id: string, ids: string[]): CodedError {
  const near = nearest(id, ids) ?? ids.find((one) => one.startsWith(`${id}.`))
  return new CodedError('SCHEDULE_UNKNOWN', `no schedule has the id ${quote(id)}`, {
    hint: `${near === undefined ? '' : `did you mean ${near}? `}see them with: agent-chat schedule`,
  })
}

function viewOf(schedule: Schedule, now: number): ScheduleView {
  const next = nextTime(schedule.cron, now)
  return {
    ...schedule,
    state: schedule.runs[0]?.state ?? 'scheduled',
    next: next === undefined ? null : isoTime(next),
  }
}

/** `researcher.1`: a name has no dot, so it is never one of a definition. */
function freeId(worker: string, taken: string[]): string {
  for (let number = 1; ; number += 1) {
    const id = `${worker}.${number}`
    if (!taken.includes(id)) return id
  }
}

function stillRunning(id: string, { at }: Run): CodedError {
  return new CodedError(
    'LOCKED',
    `the last run of ${id} has not ended: it began at ${localTime(at)}`,
    {
      hint: 'see its task with: agent-chat tasks --open',
    },
  )
}
