import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { ensureHome, homeError } from '../bus/home.ts'
import { HUMAN } from '../message/name.ts'
import { isoTime } from '../message/time.ts'
import type { SessionState } from '../session/state.ts'
import { changeState } from '../session/stateFile.ts'
import { isOpen } from '../session/turn.ts'
import { isErrno } from '../system/errno.ts'
import { changeLedger, inLedger, type Ledger, readLedger, spend } from './ledger.ts'
import { RECENT_MS } from './rules.ts'
import type { Judged, Passed, SendRequest } from './send.ts'
import { turnOf } from './turn.ts'

/** What a message has taken before it was sent: given back should it not be sent. `before`: the question that was open until then. */
export type Taken = { at: number; work: number; before: Ledger['questions'][string] | undefined }

/** What keeps a ledger from being written, and is no reason not to send where a human has a word. */
const UNWRITABLE = ['EISDIR', 'ENOTDIR', 'EEXIST', 'ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT']

/**
 * Judges a message, and takes what it needs in the same moment: two that are sent at once do not both get the one question, answer or work there is. What
 * cannot be noted is told of once it was sent; in a turn without the human's word it is not sent.
 */
export function reserve(
  bus: Bus,
  request: SendRequest,
  judge: (ledger: Ledger, state: SessionState | undefined) => Judged,
): Passed {
  const { from, mode, state } = request
  if (from === HUMAN) return judge(readLedger(bus.home, from), state())
  try {
    if (!existsSync(bus.home.messages)) ensureHome(bus.home)
    return inLedger<Passed>(bus, from, (ledger) => {
      const now = state()
      const judged = judge(ledger, now)
      if (!judged.verdict.allow && mode === 'enforce') return [ledger, judged]
      const taken = { at: bus.clock.now(), work: takeWork(bus, from, now), before: ledger.questions[request.to] }
      return [counted(ledger, request, judged, taken.at), { ...judged, taken }]
    })
  } catch (error) {
    if (!isErrno(error, ...UNWRITABLE) || turnOf(state()?.turn) === 'closed') throw homeError(bus.home, error)
    return { ...judge(readLedger(bus.home, from), state()), unnoted: error }
  }
}

/** Gives back what a message has taken that was not sent. */
export function giveBack(bus: Bus, request: SendRequest, { taken, verdict, answers }: Passed): void {
  const { from, to, question } = request
  if (taken === undefined) return
  changeLedger(bus, from, (ledger) => {
    const approval = verdict.rule === 'pre-approval' ? ledger.approvals[to] : undefined
    const left = approval?.left ?? undefined
    const { [to]: open, ...others } = ledger.questions
    const isOurs = question && open?.id === ''
    const given = answers === undefined ? undefined : ledger.answers[answers.id]
    return {
      approvals:
        approval && left !== undefined
          ? { ...ledger.approvals, [to]: { ...approval, left: left + 1 } }
          : ledger.approvals,
      questions: isOurs ? { ...others, ...(taken.before ? { [to]: taken.before } : {}) } : ledger.questions,
      answers:
        answers && given ? { ...ledger.answers, [answers.id]: { ...given, count: given.count - 1 } } : ledger.answers,
      sent: ledger.sent.toSpliced(ledger.sent.lastIndexOf(taken.at), ledger.sent.includes(taken.at) ? 1 : 0),
    }
  })
  const { work } = taken
  if (work === 0) return
  changeState(bus, from, (now) => now?.turn && { ...now, turn: { ...now.turn, work: now.turn.work + work } })
}

/** The ledger with one message more. The id of a question comes once it was sent. */
function counted(before: Ledger, { to, question }: SendRequest, { verdict, answers }: Judged, now: number): Ledger {
  const ledger = verdict.rule === 'pre-approval' ? spend(before, to) : before
  const at = isoTime(now)
  const recent = Object.entries(ledger.answers).filter(([, given]) => Date.parse(given.at) > now - RECENT_MS)
  const answer = answers === undefined ? {} : { [answers.id]: { count: answers.given + 1, at } }
  return {
    ...ledger,
    questions: { ...ledger.questions, ...(question ? { [to]: { id: '', at } } : {}) },
    answers: { ...Object.fromEntries(recent), ...answer },
    sent: [...ledger.sent, now].filter((time) => time > now - RECENT_MS),
  }
}

/** Work has its message, whatever let that pass. Gives how much it was. */
function takeWork(bus: Bus, name: string, state: SessionState | undefined): number {
  if (!state?.turn || isOpen(state.turn)) return 0
  let work = 0
  changeState(bus, name, (now) => {
    work = now?.turn?.work ?? 0
    return work > 0 && now?.turn ? { ...now, turn: { ...now.turn, work: 0 } } : undefined
  })
  return work
}
