import type { Bus } from '../bus/bus.ts'
import { fateOf } from '../bus/mail/fate.ts'
import { nameNow } from '../bus/names/names.ts'
import { findSession, readSessions } from '../bus/names/registry.ts'
import { hostOf } from '../message/address.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import { readReads } from './reads.ts'
import { ringMark } from './rings.ts'
import { aliveByProcess } from './roster.ts'
import type { Activity, Failed } from './state.ts'
import { believedState } from './stateFile.ts'
import { readWaiting } from './waiting.ts'
import { answersAsWorker, cannotAnswer, comesBack, hasJustFallen, shownWorker } from './workers.ts'

/**
 * The state of the session that was asked. `idle`: it ended its turn without an answer; `asking`:
 * its human has a dialog open; `gone`: it left, or its agent has ended; `waiting`: none of these,
 * so an answer may be on its way.
 */
export type OtherSide = 'waiting' | 'idle' | 'asking' | 'gone'

/** The facts about the session that was asked. Times are ISO 8601. */
export type OtherFacts = {
  /** Whether it is registered and its agent, where that is known, runs. */
  present: boolean
  activity: Activity | 'unknown'
  since: string | undefined
  /** When it read the question, or was told of it; undefined while neither has happened. */
  met: string | undefined
  /** What its doorbell waits for, while it has not met the question. */
  waits?: string | undefined
  /** How its last turn failed, where the next one has not ended well. */
  failed?: Failed | undefined
  /** Of a worker that is gone or answers nothing for now: why. */
  why?: string | undefined
}

/**
 * The first row that fits decides. Idle counts only from a turn that ended after the session met
 * the question: before that, it has still to begin.
 */
export function otherSide({ present, activity, since, met }: OtherFacts): OtherSide {
  if (!present || activity === 'gone') return 'gone'
  if (activity === 'asking') return 'asking'
  if (activity === 'idle' && met !== undefined && since !== undefined && since > met) return 'idle'
  return 'waiting'
}

/** Reads the facts from the registry, the recipient's state, its rings and its reads. */
export function lookAtOther(bus: Bus, question: Pick<Message, 'id' | 'to'>): OtherFacts {
  const { id } = question
  const host = hostOf(question.to)
  if (host !== undefined) return lookAway(bus, question, host)
  // It may have been renamed while its answer is waited for.
  const to = nameNow(bus.home, question.to)
  const met =
    readReads(bus.home, to).find((read) => read.id === id)?.at ??
    ringMark(bus.home, to, id)?.presented
  if (to === HUMAN) return { present: true, activity: 'unknown', since: undefined, met }
  const session = findSession(readSessions(bus.home), to)
  const present = session !== undefined && aliveByProcess(session, bus.processes) !== 'gone'
  // A worker answers what it has taken, whatever becomes of its process in between.
  if (answersAsWorker(bus, to)) {
    const why = cannotAnswer(bus, to)
    const answers = why === undefined && (present || comesBack(bus, to) || hasJustFallen(bus, to))
    const rest = answers ? {} : { why: why ?? shownWorker(bus, to)?.reason ?? undefined }
    return { present: answers, activity: 'unknown', since: undefined, met, ...rest }
  }
  const state = believedState(bus.home, to, bus.processes)
  const waits = met === undefined ? readWaiting(bus.home, to)?.why : undefined
  const activity = state?.activity ?? 'unknown'
  const failed = state?.failed && { failed: state.failed }
  return {
    present,
    activity,
    since: state?.since,
    met,
    ...(waits !== undefined && { waits }),
    ...failed,
  }
}

/** How the last turn of a session failed, where that holds. A worker tells of its own by itself. */
export function lastFailure(bus: Bus, name: string): Failed | undefined {
  const failed = believedState(bus.home, name, bus.processes)?.failed
  return failed && !answersAsWorker(bus, name) ? failed : undefined
}

/** Of a session on another machine, that machine tells what became of the question. */
function lookAway({ home }: Bus, { id, to }: Pick<Message, 'id' | 'to'>, host: string): OtherFacts {
  const { place, stages } = fateOf(home, id, to)
  const met = stages.find(({ stage }) => stage === 'presented' || stage === 'read')?.at
  const waits = place === 'queued' ? `it is queued for ${host}` : undefined
  const present = place !== 'refused'
  return { present, activity: 'unknown', since: undefined, met, ...(waits && { waits }) }
}
