import type { Bus } from '../../bus/bus.ts'
import { record } from '../../bus/history.ts'
import { allTasks } from '../../bus/index/tasks.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { announceSoon } from '../../chat/announce.ts'
import type { Ports } from '../../chat/ports.ts'
import { type PostPorts, post } from '../../chat/post.ts'
import { isCoded } from '../../errors.ts'
import { HUMAN, PROGRAM } from '../../message/name.ts'
import { isoTime } from '../../message/time.ts'
import { noteWord } from '../../session/words.ts'
import type { ProcessRef } from '../../system/processes.ts'
import { listDefinitions, requireDefinition } from '../definition/list.ts'
import { dueRuns, LATE_MS } from './due.ts'
import {
  changeSchedules,
  type Run,
  runningIn,
  type Schedule,
  type Schedules,
  withRun,
} from './schedules.ts'
import { settled, withDefined } from './settle.ts'

export type RunPorts = PostPorts & Pick<Ports, 'cwd'>

/** The header fields of a run's task: its schedule, and the time that it is for. */
const FIELDS = { schedule: 'schedule', due: 'schedule_due' } as const

/** A run this late may be one that was given before. In milliseconds. */
const FRESH_MS = 60_000

/** A run that is about to be given: reserved by this process, or by one that died before. */
export type Begun = { schedule: Schedule; run: Run; left: boolean }

/**
 * Gives the tasks of all schedules that are due, each once, whatever was cut in between; a schedule
 * whose last run goes on has none. Gives the runs, and when to call it again, in milliseconds since
 * 1970: with a schedule that is written meanwhile, a minute later is early enough.
 */
export async function runSchedules(ports: RunPorts): Promise<{ ran: Run[]; nextDue?: number }> {
  const bus = ports.bus()
  const now = bus.clock.now()
  const { begun, skipped, nextDue } = changeSchedules(bus, (before) => reserve(before, ports, now))
  for (const { id, due } of skipped)
    record(bus, 'schedule-skipped', { id, due, why: 'its last run goes on' })
  const ran: Run[] = []
  for (const one of begun) ran.push(await giveRun(one, ports))
  return { ran, ...(nextDue === undefined ? {} : { nextDue }) }
}

/** The schedules as files and definitions have them now. */
export function currentSchedules(
  before: Schedules,
  ports: Pick<Ports, 'bus' | 'cwd'>,
  now: number,
): Schedules {
  const listed = listDefinitions(ports, ports.cwd)
  const usable = listed.filter(({ status }) => status === 'valid' || status === 'warnings')
  const defined = usable.flatMap(({ definition }) => definition ?? [])
  // One that cannot be used for now keeps its schedule: its runs fail, with the reason.
  const isGone = (worker: string) => {
    const of = listed.find(({ name, status }) => name === worker && status !== 'hidden')
    return of === undefined || (of.definition !== undefined && of.definition.schedule === undefined)
  }
  return settled(withDefined(before, defined, isGone, now), ports.bus().home)
}

/** Takes down what is due, before it is given: after a crash, that says what to look for. */
function reserve(before: Schedules, ports: RunPorts, now: number) {
  const { processes } = ports.bus()
  let all = currentSchedules(before, ports, now)
  const left = Object.values(all).flatMap((schedule): Begun[] => {
    const run = runningIn(schedule)
    const isLeft = run?.task === undefined && run?.by && !processes.isAlive(run.by)
    return run && isLeft ? [{ schedule, run, left: true }] : []
  })
  const { due, nextDue } = dueRuns(Object.values(all).map(timed), now, lastRuns(all))
  const begun: Begun[] = [...left]
  const skipped: { id: string; due: string }[] = []
  for (const { id, at } of due) {
    const schedule = all[id]
    if (!schedule) continue
    const run = newRun(at, now, processes.self())
    const isRunning = runningIn(schedule) !== undefined
    const next = { ...schedule, last: run.due }
    all = { ...all, [id]: isRunning ? next : withRun(next, run) }
    if (isRunning) skipped.push({ id, due: run.due })
    else begun.push({ schedule: next, run, left: false })
  }
  const answer = { begun, skipped, nextDue }
  return [all, answer] as [Schedules, typeof answer]
}

/** A run for the time `at`, that the process `by` is about to give. */
export function newRun(at: number, now: number, by: ProcessRef): Run {
  return { due: isoTime(at), at: isoTime(now), state: 'running', by }
}

/** Gives the task of a run that is taken down already, and takes down what came of that. */
export async function giveRun({ schedule, run, left }: Begun, ports: RunPorts): Promise<Run> {
  const bus = ports.bus()
  const { id } = schedule
  const late = bus.clock.now() - Date.parse(run.due)
  // One that comes late may have been given already, and a power cut taken the note of it.
  const given = (left || late > FRESH_MS) && adopted(bus, id, run)
  const outcome = given || (await outcomeOf(schedule, run, left && late >= LATE_MS, ports))
  const { by: _, ...kept } = { ...run, ...outcome }
  changeSchedules(bus, (all) => {
    const now = all[id]
    if (!now) return [all, undefined]
    const runs = now.runs.map((one) => (one.due === run.due && one.at === run.at ? kept : one))
    return [{ ...all, [id]: { ...now, runs } }, undefined]
  })
  return kept
}

/** The task that a process gave just before it died. */
function adopted(bus: Bus, id: string, run: Run): Partial<Run> | undefined {
  const found = allTasks(bus.home).findLast(
    ({ message: { from, extra } }) =>
      from === HUMAN && extra[FIELDS.schedule] === id && extra[FIELDS.due] === run.due,
  )
  return found && { task: found.message.id }
}

async function outcomeOf(
  schedule: Schedule,
  run: Run,
  missed: boolean,
  ports: RunPorts,
): Promise<Partial<Run>> {
  const bus = ports.bus()
  const { id, worker, text } = schedule
  const failed = (output: string) => ({
    state: 'failed' as const,
    ended: isoTime(bus.clock.now()),
    output,
  })
  if (missed) return failed('missed: nothing ran it within an hour')
  try {
    requireDefinition(worker, ports)
    const extra = { [FIELDS.schedule]: id, [FIELDS.due]: run.due }
    // It is the human's word, from when they set it up.
    const onSent = (message: Parameters<typeof noteWord>[1]) => noteWord(bus, message)
    const draft = { from: HUMAN, to: worker, kind: 'task', body: text, extra, onSent }
    return { task: (await post(draft, ports)).message.id }
  } catch (error) {
    if (!isCoded(error)) throw error
    record(bus, 'schedule-failed', { id, due: run.due, why: error.message })
    const output = `${error.message}; ${error.hint}`
    // The human is told once: a run before this one said the same.
    if (schedule.runs.find(({ state }) => state !== 'running')?.output !== output)
      tellFailed(schedule, output, ports)
    return failed(output)
  }
}

function tellFailed({ id, worker }: Schedule, why: string, ports: RunPorts): void {
  const subject = `the schedule ${id} could not run`
  const body = `The task of the schedule ${id} was not given to @${worker}: ${why}.`
  const note = { from: PROGRAM, to: HUMAN, kind: 'note', subject, body }
  announceSoon(sendMessage(ports.bus(), note).message.id, ports)
}

function timed({ id, cron, since }: Schedule) {
  return { id, cron, since: Date.parse(since) }
}

function lastRuns(all: Schedules): Record<string, number> {
  return Object.fromEntries(
    Object.values(all).flatMap(({ id, last }) =>
      last === undefined ? [] : [[id, Date.parse(last)]],
    ),
  )
}
