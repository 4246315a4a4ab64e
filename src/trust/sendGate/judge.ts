import { existsSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import type { Draft } from '../../bus/mail/draft.ts'
import { hostOf } from '../../message/address.ts'
import { isFree } from '../../message/free.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import type { SessionState } from '../../session/state.ts'
import { openness } from '../../session/turn.ts'
import { approvedCauses } from './cause.ts'
import { approvalFor, isQuestionOpen, type Ledger, recentlySent } from './ledger.ts'
import { freeLineage, type Lineage } from './lineage.ts'
import {
  judgeChain,
  judgeRing,
  judgeSend,
  type Mode,
  type RingVerdict,
  type Verdict,
} from './rules.ts'

/**
 * A message that is about to be sent. `lineage`: what it follows from, where that is nothing of its
 * sender's turn: it is then sent in nobody's turn, and takes nothing from the one its sender is in.
 */
export type SendRequest = Pick<Draft, 'from' | 'to' | 'kind' | 'body' | 'extra'> & {
  answered?: Message | undefined
  lineage?: Lineage | undefined
}

/**
 * Which answer a message gives: to the message `id`, which asks for `asked` and has `given`.
 * `free`: what it carries where it is free of the chain's count.
 */
export type Answers = { id: string; asked: number; given: number; free?: Lineage | undefined }

/** What is known of a message before the ledger and the sender's turn are looked at. */
export type Known = {
  mode: Mode
  lineage: Lineage
  /** Whether it merely thanks or acknowledges. */
  thanks: boolean
  answers: Answers | undefined
}

/** What a message may do: its lineage, whether it rings, and which answer it gives. */
export type Judged = {
  lineage: Lineage
  ring: RingVerdict
  verdict: Verdict
  answers: Answers | undefined
}

/** Whether a message may be sent, and whether it rings, by this ledger and this state. */
export function judge(
  bus: Bus,
  request: SendRequest,
  known: Known,
  ledger: Ledger,
  state: SessionState | undefined,
): Judged {
  const { from, to, kind } = request
  const { mode, thanks } = known
  const answers = stillAsked(ledger, known.answers)
  const lineage = answers?.free ?? known.lineage
  const verdict = judgeAlone(bus, request, known, ledger, state)
  const { hops } = lineage
  const toHuman = to === HUMAN
  const ring = judgeRing({
    mode,
    hops,
    toHuman,
    recent:
      from === HUMAN || isOwed(request)
        ? 0
        : recentlySent(ledger, bus.clock.now(), toHuman).length + 1,
    // A session that was asked, and says no more than “noted”, has answered.
    acknowledges: thanks && !answers && !isOwed(request),
  })
  const beyond =
    verdict.allow && !answers?.free && judgeChain({ mode, turn: openness(state?.turn), to, hops })
  return {
    lineage,
    ring,
    verdict: beyond || verdict,
    // To ask back is no answer.
    answers: kind === 'question' ? undefined : answers,
  }
}

/**
 * Whether the process of a worker answers what was sent to it. It does so once for each message, so
 * however many answers there are, they are no chatter of its own.
 */
export function isOwed({ from, to, answered, lineage }: SendRequest): boolean {
  return lineage !== undefined && answered?.from === to && answered.to === from
}

/** Whether a message may be sent, whatever its chain. */
export function judgeAlone(
  bus: Bus,
  { from, to, kind }: SendRequest,
  { mode, answers }: Pick<Known, 'mode' | 'answers'>,
  ledger: Ledger,
  state: SessionState | undefined,
): Verdict {
  const turn = openness(state?.turn)
  // In any other turn no rule asks for its causes, and no file is read for them.
  const causes = turn === 'closed' ? approvedCauses(bus, from, state?.turn) : undefined
  return judgeSend({
    mode,
    sender: from === HUMAN ? 'human' : 'agent',
    turn,
    recipient: to,
    work: state?.turn?.work ?? 0,
    // A name that nobody has had: an inbox for it is not made without the human.
    question: kind === 'question' && (isAway(to) || existsSync(bus.home.inbox(to))),
    questionOpen: isQuestionOpen(ledger, to, bus.clock.now()),
    answers: stillAsked(ledger, answers) !== undefined,
    approved: causes?.approved === true || approvalFor(ledger, to, bus.clock.now()) !== undefined,
  })
}

/** Whether no inbox here tells of somebody: the human has none before their first message. */
function isAway(to: string): boolean {
  return to === HUMAN || hostOf(to) !== undefined
}

/** How many answers each kind of message asks for: a task is taken on, and ended. */
const ASKED: Record<string, number> = { question: 1, task: 2 }

/**
 * The answer that a message gives, where its recipient asked its sender for one: with a question or
 * a task, or, the human, with any message. Every other reply is sent purely in response.
 */
export async function answersOf(
  bus: Bus,
  { from, to, kind: said, extra = {}, answered }: SendRequest,
): Promise<Answers | undefined> {
  if (!answered || answered.from !== to || answered.to !== from) return undefined
  const { id, kind } = answered
  const asked = Object.hasOwn(ASKED, kind) ? (ASKED[kind] ?? 0) : to === HUMAN ? 1 : 0
  if (asked === 0) return undefined
  // Loaded only here: it parses messages.
  const { answersTo } = await import('../../bus/index/threads.ts')
  // To ask back is no answer, nor is a word about it to somebody else.
  const given = answersTo(bus.home, answered, from).filter(
    (one) => one.kind !== 'question' && one.to === to,
  )
  const free = isFree(answered, { from, to, kind: said, extra }, given)
    ? freeLineage(bus, from, answered)
    : undefined
  return { id, asked, given: given.length, free }
}

/** The answer, with those that are being sent; undefined where as many were given as asked for. */
function stillAsked(ledger: Ledger, answers: Answers | undefined): Answers | undefined {
  if (answers === undefined) return undefined
  const sent = ledger.answers[answers.id]
  const given = Math.max(answers.given, sent?.count ?? 0)
  const free = sent?.ended ? undefined : answers.free
  // The end of a task is owed, however much was said of it before.
  return free || given < answers.asked ? { ...answers, given, free } : undefined
}
