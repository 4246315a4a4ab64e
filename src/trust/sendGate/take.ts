import type { Bus } from '../../bus/bus.ts'
import { HUMAN } from '../../message/name.ts'
import { isoTime } from '../../message/time.ts'
import type { SessionState } from '../../session/state.ts'
import { changeState } from '../../session/stateFile.ts'
import { isOpen } from '../../session/turn.ts'
import { type Answers, isOwed, type Judged, type SendRequest } from './judge.ts'
import { changeLedger, type Ledger, spend } from './ledger.ts'
import { RECENT_MS } from './limits.ts'

/**
 * What a message took before it was sent. `at`: its place in the count; `before`: the question that
 * was open until then.
 */
export type Taken = { at: number; work: number; before: Ledger['questions'][string] | undefined }

/**
 * Takes what a message needs. Called under the ledger's lock, and gives the ledger that is to be
 * written there; the work is taken out of the sender's state at once.
 */
export function take(
  bus: Bus,
  request: SendRequest,
  judged: Judged,
  ledger: Ledger,
  state: SessionState | undefined,
): [Ledger, Taken] {
  const at = bus.clock.now()
  const taken = {
    at,
    work: takeWork(bus, request.from, state),
    before: ledger.questions[request.to],
  }
  return [counted(ledger, request, judged, at), taken]
}

/** Gives back what a message took that was not sent. */
export function giveBack(
  bus: Bus,
  { from, to, kind }: SendRequest,
  { verdict, answers }: Judged,
  { at, work, before }: Taken,
): void {
  changeLedger(bus, from, (ledger) => {
    const approval = verdict.rule === 'pre-approval' ? ledger.approvals[to] : undefined
    const left = approval?.left ?? undefined
    const { [to]: open, ...others } = ledger.questions
    const isOurs = kind === 'question' && open?.id === ''
    const given = answers && ledger.answers[answers.id]
    const without = (times: number[]) => {
      const place = times.lastIndexOf(at)
      return times.filter((_, index) => index !== place)
    }
    return {
      approvals:
        approval && left !== undefined
          ? { ...ledger.approvals, [to]: { ...approval, left: left + 1 } }
          : ledger.approvals,
      questions: isOurs ? { ...others, ...(before && { [to]: before }) } : ledger.questions,
      answers:
        answers && given
          ? { ...ledger.answers, [answers.id]: lessOne(given, answers) }
          : ledger.answers,
      sent: without(ledger.sent),
      toHuman: to === HUMAN ? without(ledger.toHuman) : ledger.toHuman,
    }
  })
  if (work === 0) return
  changeState(
    bus,
    from,
    (now) => now?.turn && { ...now, turn: { ...now.turn, work: now.turn.work + work } },
  )
}

/** An answer less; where that was the free one, there is none yet. */
function lessOne(
  { count, at, ended }: Ledger['answers'][string],
  { free }: Answers,
): Ledger['answers'][string] {
  return { count: count - 1, at, ...(ended && !free ? { ended } : {}) }
}

/** The ledger with one message more. The id of a question comes once it was sent. */
function counted(
  before: Ledger,
  request: SendRequest,
  { verdict, answers }: Judged,
  now: number,
): Ledger {
  const { to, kind } = request
  const ledger = verdict.rule === 'pre-approval' ? spend(before, to) : before
  const at = isoTime(now)
  const recent = Object.entries(ledger.answers).filter(
    ([, given]) => Date.parse(given.at) > now - RECENT_MS,
  )
  const own = isOwed(request) ? [] : [now]
  const isRecent = (time: number) => time > now - RECENT_MS
  const ended = answers?.free || (answers && before.answers[answers.id]?.ended)
  const answer =
    answers === undefined
      ? {}
      : { [answers.id]: { count: answers.given + 1, at, ...(ended && { ended: true as const }) } }
  return {
    ...ledger,
    questions:
      kind === 'question' ? { ...ledger.questions, [to]: { id: '', at } } : ledger.questions,
    answers: { ...Object.fromEntries(recent), ...answer },
    sent: [...ledger.sent, ...own].filter(isRecent),
    toHuman: [...ledger.toHuman, ...(to === HUMAN ? own : [])].filter(isRecent),
  }
}

/** Takes the work of a closed turn, whatever rule let the message pass. Gives how much it was. */
function takeWork(bus: Bus, name: string, state: SessionState | undefined): number {
  if (isOpen(state?.turn)) return 0
  let work = 0
  changeState(bus, name, (now) => {
    work = now?.turn?.work ?? 0
    return work > 0 && now?.turn ? { ...now, turn: { ...now.turn, work: 0 } } : undefined
  })
  return work
}
