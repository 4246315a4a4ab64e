import { record } from '../../bus/history.ts'
import { sendMessage } from '../../bus/mail/send.ts'
import { announceSoon } from '../../chat/announce.ts'
import type { Ports } from '../../chat/ports.ts'
import { type PostPorts, post } from '../../chat/post.ts'
import { isCoded } from '../../errors.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN, PROGRAM } from '../../message/name.ts'
import { isoTime } from '../../message/time.ts'
import { noteWord } from '../../session/words.ts'
import { type ProcessRef, sameProcess } from '../../system/processes.ts'
import { listDefinitions, requireDefinition } from '../definition/list.ts'
import { dueRuns, LATE_MS } from './due.ts'
import { givenBefore, runFields } from './given.ts'
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

/** A run this late may be one that was given before. In milliseconds. */
const FRESH_MS = 60_000

/** A run that is about to be given: reserved by this process, or by one that died before. */
export type Begun = { schedule: Schedule; run: Run; left: boolean }

/**
 * Gives the tasks of all schedules that are due, each once, whatever was cut in between; a schedule
 * whose last run goes on has none. Gives the runs, and when the next one is due, in milliseconds
 * since 1970; a schedule may be set up before, so call it once a minute at least. Throws what sending
 * throws: a call a minute later tries it again.
 */
export async function runSchedules(ports: RunPorts): Promise<{ ran: Run[]; nextDue?: number }> {
  const bus = ports.bus()
  const now = bus.clock.now()
  const { begun, skipped, missed, nextDue } = changeSchedules(bus, (before) =>
    reserve(before, ports, now),
  )
  for (const one of missed) tellMissed(one, ports)
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

/** A run that comes too late to be made up for, and what is said of it. */
type Lost = { schedule: Schedule; due: string; why: string }

function whyMissed(due: string, next: number | undefined): string {
  const comes = next === undefined ? 'there is no next time' : `its next run is at ${isoTime(next)}`
  return `missed: nothing ran it at ${due}; ${comes}`
}

function tellMissed({ schedule, due, why }: Lost, ports: RunPorts): void {
  const { id, worker } = schedule
  record(ports.bus(), 'schedule-missed', { id, due, why })
  const subject = `the schedule ${id} missed a run`
  const body = `The task of the schedule ${id} was not given to @${worker}: ${why}.`
  tellOwner(subject, body, ports)
}

function tellOwner(subject: string, body: string, ports: RunPorts): void {
  const note = { from: PROGRAM, to: HUMAN, kind: 'note', subject, body }
  announceSoon(sendMessage(ports.bus(), note).message.id, ports)
}

/** Takes down what is due, before it is given: after a crash, that says what to look for. */
function reserve(before: Schedules, ports: RunPorts, now: number) {
  const { processes } = ports.bus()
  const self = processes.self()
  let all = currentSchedules(before, ports, now)
  const left = Object.values(all).flatMap((schedule): Begun[] => {
    const run = runningIn(schedule)
    if (run?.by === undefined) return []
    // One of this very process that has come to no end was cut by an error: this is the next try.
    const isCut = sameProcess(run.by, self) && now - Date.parse(run.at) > FRESH_MS
    return isCut || !processes.isAlive(run.by) ? [{ schedule, run, left: true }] : []
  })
  const { due, missed, nextDue } = dueRuns(Object.values(all).map(timed), now, lastRuns(all))
  const begun: Begun[] = [...left]
  const skipped: { id: string; due: string }[] = []
  for (const { id, at } of due) {
    const schedule = all[id]
    if (!schedule) continue
    const run = newRun(at, now, self)
    const isRunning = runningIn(schedule) !== undefined
    const next = { ...schedule, last: run.due }
    all = { ...all, [id]: isRunning ? next : withRun(next, run) }
    if (isRunning) skipped.push({ id, due: run.due })
    else begun.push({ schedule: next, run, left: false })
  }
  const lost: Lost[] = []
  for (const { id, at, next } of missed) {
    const schedule = all[id]
    if (!schedule) continue
    const due = isoTime(at)
    const last = { ...schedule, last: due }
    if (runningIn(schedule) !== undefined) {
      all = { ...all, [id]: last }
      skipped.push({ id, due })
      continue
    }
    const one = { schedule, due, why: whyMissed(due, next) }
    const ended = isoTime(now)
    all = {
      ...all,
      [id]: withRun(last, { due, at: ended, state: 'failed', ended, output: one.why }),
    }
    lost.push(one)
  }
  const answer = { begun, skipped, missed: lost, nextDue }
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
  const task = left || late > FRESH_MS ? givenBefore(bus, id, run) : undefined
  const outcome = task ? { task } : await outcomeOf(schedule, run, left && late >= LATE_MS, ports)
  const { by: _, ...kept } = { ...run, ...outcome }
  changeSchedules(bus, (all) => {
    const now = all[id]
    if (!now) return [all, undefined]
    const runs = now.runs.map((one) => (one.due === run.due && one.at === run.at ? kept : one))
    return [{ ...all, [id]: { ...now, runs } }, undefined]
  })
  return kept
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
  const refused = refusal(worker, ports)
  if (refused === undefined) {
    const extra = runFields(id, run)
    // It is the human's word, from when they set it up.
    const onSent = (message: Message) => noteWord(bus, message)
    const said = { from: HUMAN, kind: 'task', body: text, given: true as const }
    const draft = { ...said, to: worker, extra, onSent }
    return { task: (await post(draft, ports)).message.id }
  }
  record(bus, 'schedule-failed', { id, due: run.due, why: refused })
  // The human is told once: the run before this one said the same.
  if (schedule.runs.find(({ state }) => state !== 'running')?.output !== refused)
    tellFailed(schedule, refused, ports)
  return failed(refused)
}

/** Why a worker cannot be given a task: its definition cannot be used. */
function refusal(worker: string, ports: RunPorts): string | undefined {
  try {
    requireDefinition(worker, ports)
    return undefined
  } catch (error) {
    if (!isCoded(error)) throw error
    return `${error.message}; ${error.hint}`
  }
}

function tellFailed({ id, worker }: Schedule, why: string, ports: RunPorts): void {
  const subject = `the schedule ${id} could not run`
  const body = `The task of the schedule ${id} was not given to @${worker}: ${why}.`
  tellOwner(subject, body, ports)
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
