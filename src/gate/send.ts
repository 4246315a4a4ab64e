import type { Bus } from '../bus/bus.ts'
import { record } from '../bus/history.ts'
import { CodedError } from '../errors.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import type { SessionState } from '../session/state.ts'
import { timeLeft } from '../system/timeLeft.ts'
import { acknowledges } from './acknowledges.ts'
import { approvedCauses, sendersOf } from './cause.ts'
import { judgeChain, type SendVerdict } from './chain.ts'
import { approvalFor, changeLedger, isQuestionOpen, type Ledger, readLedger, recentlySent } from './ledger.ts'
import { type Lineage, lineageOf } from './lineage.ts'
import { reserve, type Taken } from './reserve.ts'
import { judgeRing, judgeSend, type Mode, type RingVerdict, type Verdict } from './rules.ts'
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

/** Which answer a message gives: to the message with this id, which asks for so many and has been given so many. */
export type Answers = { id: string; asked: number; given: number }

/** What a message may do: its lineage, whether it rings, and which answer it gives. */
export type Judged = { lineage: Lineage; ring: RingVerdict; verdict: SendVerdict; answers?: Answers }

/** What a message may do; in `warn` what would have been refused; what it has taken, or what kept that from being noted. */
export type Passed = Judged & { warning?: string; taken?: Taken; unnoted?: Error }

/** The hook that tells of work runs beside the agent, and may be this late. In milliseconds. */
const WORK_MS = 600
const LOOK_MS = 30

/** Lets a message pass, or throws `GATE_REFUSED` with the reason and the remedy. Both are in the history. What it needs is taken: see `reserve()`. */
export async function passSend(bus: Bus, request: SendRequest): Promise<Passed> {
  const { from, to, mode } = request
  const thanks = from !== HUMAN && acknowledges(request.body)
  const closed = from !== HUMAN && turnOf(request.state()?.turn) === 'closed'
  const answers = thanks || closed ? await answersOf(bus, request) : undefined
  const state = await afterWork(bus, request, answers)
  const lineage =
    request.lineage ??
    (from === HUMAN ? { chain: undefined, hops: 0 } : await lineageOf(bus, from, to, state?.turn, request.answered))
  const known = { answers, lineage, thanks }
  const passed = reserve(bus, request, (ledger, now) => judgeAll(bus, request, known, ledger, now))
  const { allow, rule, reason, remedy } = passed.verdict
  if (allow) return passed
  record(bus, 'refused', { name: from, to, rule, reason, mode })
  if (mode === 'enforce') throw new CodedError('GATE_REFUSED', `not sent (${rule}): ${reason}`, { hint: remedy })
  return { ...passed, warning: `${rule}: ${reason}` }
}

/** Takes note of a message that was sent: which question is open, and what an approval has let pass. Throws what kept it from being counted. */
export function noteSent(bus: Bus, { from, to, question }: SendRequest, passed: Passed, { id }: Message): void {
  const { rule, reason } = passed.verdict
  if (passed.unnoted) throw passed.unnoted
  if (from === HUMAN) return
  if (question) {
    changeLedger(bus, from, (ledger) => {
      const open = ledger.questions[to]
      // Its answer may have been read by now.
      return open?.id === '' ? { ...ledger, questions: { ...ledger.questions, [to]: { ...open, id } } } : ledger
    })
  }
  if (rule === 'pre-approval') record(bus, 'approved', { name: from, to, id, by: 'pre-approval', reason })
}

type Known = { answers: Answers | undefined; lineage: Lineage; thanks: boolean }

/** Whether a message may be sent, and whether it rings, as things stand in this ledger. */
function judgeAll(
  bus: Bus,
  request: SendRequest,
  { answers: known, lineage, thanks }: Known,
  ledger: Ledger,
  state: SessionState | undefined,
): Judged {
  const { from, to, mode, question } = request
  const answers = stillAsked(ledger, known)
  const judged = judge(bus, request, ledger, state, answers)
  const beyond = judgeChain({ mode, turn: turnOf(state?.turn), to, lineage })
  const ring = judgeRing({
    mode,
    // With the human every chain ends: no model runs because of a message to them.
    hops: to === HUMAN ? 0 : lineage.hops,
    recent: from === HUMAN ? 0 : recentlySent(ledger, bus.clock.now()).length + 1,
    // Who was asked and says no more than “noted” has answered.
    acknowledges: thanks && !answers,
  })
  const verdict = judged.allow && beyond ? beyond : judged
  // To ask back is no answer.
  return { lineage, ring, verdict, ...(answers && !question ? { answers } : {}) }
}

function judge(
  bus: Bus,
  { from, to, mode, question }: SendRequest,
  ledger: Ledger,
  state: SessionState | undefined,
  answers: Answers | undefined,
): Verdict {
  const { senders, approved } = approvedCauses(bus, from, state?.turn)
  return judgeSend({
    mode,
    sender: from === HUMAN ? 'human' : 'agent',
    turn: turnOf(state?.turn),
    recipient: to,
    causes: sendersOf(senders),
    work: state?.turn?.work ?? 0,
    question,
    questionOpen: isQuestionOpen(ledger, to, bus.clock.now()),
    answers: answers !== undefined,
    approved: approved || approvalFor(ledger, to, bus.clock.now()) !== undefined,
  })
}

/** How many answers pass as such: a question has one, a task is taken on and ended. To ask back is none. */
const ANSWERS: Record<string, number> = { question: 1, task: 2 }

/**
 * The answer that a message gives, where one was asked for: to a question or a task that its recipient has sent to its sender, or to whatever the human
 * has. What asks for none is sent purely in response.
 */
async function answersOf(bus: Bus, { from, to, answered }: SendRequest): Promise<Answers | undefined> {
  if (!answered || answered.from !== to || answered.to !== from) return undefined
  const asked = Object.hasOwn(ANSWERS, answered.kind) ? (ANSWERS[answered.kind] ?? 0) : to === HUMAN ? 1 : 0
  if (asked === 0) return undefined
  // Loaded only here: it parses messages.
  const { answersTo } = await import('../bus/threads.ts')
  const given = answersTo(bus.home, answered, from).filter(({ kind }) => kind !== 'question').length
  return { id: answered.id, asked, given }
}

/** The answer, with those that are on their way; undefined where it has been given. */
function stillAsked(ledger: Ledger, answers: Answers | undefined): Answers | undefined {
  if (answers === undefined) return undefined
  const given = Math.max(answers.given, ledger.answers[answers.id]?.count ?? 0)
  return given < answers.asked ? { ...answers, given } : undefined
}

/** The sender's state; where the message would be refused for want of work, the one that holds a moment later. */
async function afterWork(
  bus: Bus,
  request: SendRequest,
  answers: Answers | undefined,
): Promise<SessionState | undefined> {
  const left = timeLeft(WORK_MS)
  for (;;) {
    const state = request.state()
    if (turnOf(state?.turn) !== 'closed' || (state?.turn?.work ?? 0) > 0 || left() <= 0) return state
    const ledger = readLedger(bus.home, request.from)
    if (judge(bus, request, ledger, state, stillAsked(ledger, answers)).rule !== 'work gate') return state
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
