import type { Bus } from '../bus/bus.ts'
import { record } from '../bus/history.ts'
import { CodedError } from '../errors.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import type { SessionState } from '../session/state.ts'
import { changeState } from '../session/stateFile.ts'
import { isOpen } from '../session/turn.ts'
import { acknowledges } from './acknowledges.ts'
import { causesOf, sendersOf } from './cause.ts'
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
  /** The sender's state, asked again while work may still be on its way to it. */
  state: () => SessionState | undefined
}

/** What a message may do: its lineage, whether it rings, and, in `warn`, what would have been refused. */
export type Passed = { lineage: Lineage; ring: RingVerdict; warning?: string; verdict: Verdict }

/** The hook that tells of work runs beside the agent, and may be this late. In milliseconds. */
const WORK_MS = 600
const LOOK_MS = 30

/** Lets a message pass, or throws `GATE_REFUSED` with the reason and the remedy. Both are in the history. */
export async function passSend(bus: Bus, request: SendRequest): Promise<Passed> {
  const { from, to, mode } = request
  const state = await afterWork(bus, request)
  const verdict = judge(bus, request, state)
  const lineage =
    from === HUMAN ? { chain: undefined, hops: 0 } : await lineageOf(bus, from, to, state?.turn, request.answered)
  if (!verdict.allow) {
    record(bus, 'refused', { name: from, to, rule: verdict.rule, reason: verdict.reason, mode })
    if (mode === 'enforce') {
      throw new CodedError('GATE_REFUSED', `not sent (${verdict.rule}): ${verdict.reason}`, { hint: verdict.remedy })
    }
  }
  const recent = from === HUMAN ? 0 : recentlySent(readLedger(bus.home, from), bus.clock.now()).length + 1
  const ring = judgeRing({
    mode,
    hops: lineage.hops,
    recent,
    // Who was asked and says no more than “noted” has answered.
    acknowledges: from !== HUMAN && request.answered?.kind !== 'question' && acknowledges(request.body),
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
    const asked = request.question ? { [to]: { id: message.id, at: new Date(now).toISOString() } } : {}
    const sent = [...ledger.sent, now].filter((at) => at > now - RECENT_MS)
    return { ...ledger, questions: { ...ledger.questions, ...asked }, sent }
  })
  if (passed.verdict.rule === 'pre-approval')
    record(bus, 'approved', { name: from, to, id: message.id, by: 'pre-approval', reason: passed.verdict.reason })
  const state = request.state()
  if (!state?.turn || isOpen(state.turn)) return
  changeState(bus, from, (now) => now?.turn && { ...now, turn: { ...now.turn, work: 0 } })
}

function judge(bus: Bus, request: SendRequest, state: SessionState | undefined): Verdict {
  const { from, to, mode, question, answered } = request
  const ledger = readLedger(bus.home, from)
  const causes = causesOf(bus, from, state?.turn)
  return judgeSend({
    mode,
    sender: from === HUMAN ? 'human' : 'agent',
    turn: turnOf(state?.turn),
    recipient: to,
    causes: sendersOf(causes),
    work: state?.turn?.work ?? 0,
    question,
    questionOpen: Object.hasOwn(ledger.questions, to),
    answers: answered?.kind === 'question' && answered.from === to,
    approved:
      isApproved(ledger, to, bus.clock.now()) || (causes.length > 0 && causes.every(({ approved }) => approved)),
  })
}

function isApproved(ledger: Ledger, peer: string, now: number): boolean {
  return approvalFor(ledger, peer, now) !== undefined
}

/** The sender's state; where the message would be refused for want of work, the one that holds a moment later. */
async function afterWork(bus: Bus, request: SendRequest): Promise<SessionState | undefined> {
  const deadline = bus.clock.now() + WORK_MS
  for (;;) {
    const state = request.state()
    if (judge(bus, request, state).rule !== 'work gate' || (state?.turn?.work ?? 0) > 0) return state
    if (bus.clock.now() >= deadline) return state
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
