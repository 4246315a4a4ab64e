import type { Bus } from '../bus/bus.ts'
import { record } from '../bus/history.ts'
import { CodedError } from '../errors.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import { isoTime } from '../message/time.ts'
import type { SessionState } from '../session/state.ts'
import { changeState } from '../session/stateFile.ts'
import { isOpen } from '../session/turn.ts'
import { timeLeft } from '../system/timeLeft.ts'
import { acknowledges } from './acknowledges.ts'
import { approvedCauses, sendersOf } from './cause.ts'
import { judgeChain, type SendVerdict } from './chain.ts'
import { approvalFor, changeLedger, type Ledger, readLedger, recentlySent, spend } from './ledger.ts'
import { type Lineage, lineageOf } from './lineage.ts'
import { judgeRing, judgeSend, type Mode, RECENT_MS, type RingVerdict, type Verdict } from './rules.ts'
import { turnOf } from './turn.ts'

/** A message that is about to be sent, and what its sender's agent is known to do. */
export type SendRequest = {
  from: string
  to: string
  body: string
  question: boolean
  answered: Message | undefined
  mode: Mode
  /** What it follows from, where that is known beforehand. */
  lineage?: Lineage
  /** The sender's state, asked again while work may still be on its way to it. */
  state: () => SessionState | undefined
}

/** What a message may do: its lineage, whether it rings, and, in `warn`, what would have been refused. */
export type Passed = { lineage: Lineage; ring: RingVerdict; warning?: string; verdict: SendVerdict }

/** The hook that tells of work runs beside the agent, and may be this late. In milliseconds. */
const WORK_MS = 600
const LOOK_MS = 30

/** Lets a message pass, or throws `GATE_REFUSED` with the reason and the remedy. Both are in the history. */
export async function passSend(bus: Bus, request: SendRequest): Promise<Passed> {
  const { from, to, mode } = request
  const thanks = from !== HUMAN && acknowledges(request.body)
  const closed = from !== HUMAN && turnOf(request.state()?.turn) === 'closed'
  const answers = (thanks || closed) && (await isAnswer(bus, request))
  const state = await afterWork(bus, request, answers)
  const lineage =
    request.lineage ??
    (from === HUMAN ? { chain: undefined, hops: 0 } : await lineageOf(bus, from, to, state?.turn, request.answered))
  const judged = judge(bus, request, state, answers)
  const beyond = judgeChain({ mode, turn: turnOf(state?.turn), to, lineage })
  const verdict = judged.allow && beyond ? beyond : judged
  if (!verdict.allow) {
    record(bus, 'refused', { name: from, to, rule: verdict.rule, reason: verdict.reason, mode })
    if (mode === 'enforce') {
      throw new CodedError('GATE_REFUSED', `not sent (${verdict.rule}): ${verdict.reason}`, { hint: verdict.remedy })
    }
  }
  const recent = from === HUMAN ? 0 : recentlySent(readLedger(bus.home, from), bus.clock.now()).length + 1
  const ring = judgeRing({
    mode,
    // With the human every chain ends: no model runs because of a message to them.
    hops: to === HUMAN ? 0 : lineage.hops,
    recent,
    // Who was asked and says no more than “noted” has answered.
    acknowledges: thanks && !answers,
  })
  return { lineage, ring, verdict, ...(verdict.allow ? {} : { warning: `${verdict.rule}: ${verdict.reason}` }) }
}

/** Takes note of a message that was sent: the count, an open question, a spent approval, and work that has had its message. */
export function noteSent(bus: Bus, request: SendRequest, passed: Passed, message: Message): void {
  const { from, to } = request
  if (from === HUMAN) return
  const now = bus.clock.now()
  changeLedger(bus, from, (before) => {
    const ledger = passed.verdict.rule === 'pre-approval' ? spend(before, to) : before
    const asked = request.question ? { [to]: { id: message.id, at: isoTime(now) } } : {}
    const sent = [...ledger.sent, now].filter((at) => at > now - RECENT_MS)
    return { ...ledger, questions: { ...ledger.questions, ...asked }, sent }
  })
  if (passed.verdict.rule === 'pre-approval')
    record(bus, 'approved', { name: from, to, id: message.id, by: 'pre-approval', reason: passed.verdict.reason })
  const state = request.state()
  if (!state?.turn || isOpen(state.turn)) return
  changeState(bus, from, (now) => now?.turn && { ...now, turn: { ...now.turn, work: 0 } })
}

function judge(bus: Bus, request: SendRequest, state: SessionState | undefined, answers: boolean): Verdict {
  const { from, to, mode, question } = request
  const ledger = readLedger(bus.home, from)
  const { senders, approved } = approvedCauses(bus, from, state?.turn)
  return judgeSend({
    mode,
    sender: from === HUMAN ? 'human' : 'agent',
    turn: turnOf(state?.turn),
    recipient: to,
    causes: sendersOf(senders),
    work: state?.turn?.work ?? 0,
    question,
    questionOpen: Object.hasOwn(ledger.questions, to),
    answers,
    approved: approved || isApproved(ledger, to, bus.clock.now()),
  })
}

/** How many answers pass as such: a question has one, a task is taken on and ended. To ask back is none. */
const ANSWERS: Record<string, number> = { question: 1, task: 2 }

/**
 * Whether a message gives an answer that was asked for: to a question or a task that its recipient has sent to its sender, or to whatever the human
 * has, and that has not had its answers. What asks for none, and the same answer again, is sent purely in response.
 */
async function isAnswer(bus: Bus, { from, to, answered }: SendRequest): Promise<boolean> {
  if (!answered || answered.from !== to || answered.to !== from) return false
  const asked = Object.hasOwn(ANSWERS, answered.kind) ? (ANSWERS[answered.kind] ?? 0) : to === HUMAN ? 1 : 0
  if (asked === 0) return false
  // Loaded only here: it parses messages.
  const { answersTo } = await import('../bus/threads.ts')
  return answersTo(bus.home, answered, from).filter(({ kind }) => kind !== 'question').length < asked
}

function isApproved(ledger: Ledger, peer: string, now: number): boolean {
  return approvalFor(ledger, peer, now) !== undefined
}

/** The sender's state; where the message would be refused for want of work, the one that holds a moment later. */
async function afterWork(bus: Bus, request: SendRequest, answers: boolean): Promise<SessionState | undefined> {
  const left = timeLeft(WORK_MS)
  for (;;) {
    const state = request.state()
    if (judge(bus, request, state, answers).rule !== 'work gate' || (state?.turn?.work ?? 0) > 0) return state
    if (left() <= 0) return state
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
