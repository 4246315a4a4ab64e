import { existsSync } from 'node:fs'
import type { Bus } from '../../bus/bus.ts'
import { record } from '../../bus/history.ts'
import { ensureHome } from '../../bus/home.ts'
import { homeError } from '../../bus/homeError.ts'
import { type Sent, thenTry } from '../../bus/mail/send.ts'
import { CodedError } from '../../errors.ts'
import { HUMAN } from '../../message/name.ts'
import type { SessionState } from '../../session/state.ts'
import { believedState } from '../../session/stateFile.ts'
import { openness } from '../../session/turn.ts'
import { isErrno } from '../../system/errno.ts'
import { timeLeft } from '../../system/timeLeft.ts'
import { acknowledges } from './acknowledges.ts'
import { answersOf, type Judged, judge, judgeAlone, type Known, type SendRequest } from './judge.ts'
import { changeLedger, inLedger, readLedger } from './ledger.ts'
import { goesOn, lineageOf } from './lineage.ts'
import { parseMode } from './rules.ts'
import { giveBack, type Taken, take } from './take.ts'

export type PassPorts = {
  env: NodeJS.ProcessEnv
  bus: () => Bus
  notice: (text: string) => void
}

/** A message that may be sent, with what it has taken, or what kept that from being written. */
type Passed = Judged & { taken?: Taken; unnoted?: Error }

/** The hook that tells of work runs beside the agent, and may be this late. In milliseconds. */
const WORK_MS = 600
const LOOK_MS = 30

/** Why a ledger may not be writable. None of it stops a message in a turn of the human's. */
const UNWRITABLE = 'EISDIR ENOTDIR EEXIST ENOENT EACCES EPERM EROFS ENOSPC EDQUOT'.split(' ')

/**
 * Takes a message through the gate as one transaction: judges it and takes what it needs in the
 * same moment, under the ledger's lock; has it sent; and notes that it was, or gives everything
 * back. Throws `GATE_REFUSED` with the reason and the remedy, and what `send` throws. A refusal is
 * in the history; in `warn` mode it is told, and the message is sent.
 */
export async function passThrough<T extends Sent>(
  ports: PassPorts,
  request: SendRequest,
  send: (judged: Judged) => T | Promise<T>,
): Promise<T> {
  const bus = ports.bus()
  const seen = stateOf(bus, request.from)
  // What the agent was started with counts: a command that it runs could say anything.
  const mode = parseMode(seen?.gate ?? ports.env.AGENT_CHAT_GATE)
  const passed = reserve(bus, request, await knownOf(bus, request, { mode, seen }))
  const { allow, rule, reason, remedy } = passed.verdict
  if (!allow) {
    record(bus, 'refused', { name: request.from, to: request.to, rule, reason, mode })
    if (mode === 'enforce')
      throw new CodedError('GATE_REFUSED', `blocked: ${reason}`, { hint: remedy })
    ports.notice(`the gate would block this (${rule}: ${reason})`)
  }
  const sent = await sendOrGiveBack(ports, request, passed, send)
  return thenTry(sent, 'could not be recorded by the gate', () =>
    noteSent(bus, request, passed, sent.message.id),
  )
}

/** What hooks have told of the sender. The human has none. */
function stateOf({ home, processes }: Bus, name: string): SessionState | undefined {
  return name === HUMAN ? undefined : believedState(home, name, processes)
}

/** The state that a message is judged by: where it is sent in nobody's turn, there is none. */
function stateFor(bus: Bus, { from, lineage }: SendRequest): SessionState | undefined {
  return lineage === undefined ? stateOf(bus, from) : undefined
}

async function knownOf(
  bus: Bus,
  request: SendRequest,
  { mode, seen }: { mode: Known['mode']; seen: SessionState | undefined },
): Promise<Known> {
  const { from, to, body, answered, lineage } = request
  const anew = { chain: undefined, hops: 0 }
  if (from === HUMAN) return { mode, lineage: lineage ?? anew, thanks: false, answers: undefined }
  const state = lineage === undefined ? seen : undefined
  const thanks = acknowledges(body)
  const { turn } = state ?? {}
  const asked = thanks || openness(turn) !== 'open' || goesOn(turn)
  const answers = asked ? await answersOf(bus, request) : undefined
  const now = await afterWork(bus, request, { mode, answers }, state)
  return {
    mode,
    lineage: lineage ?? (await lineageOf(bus, from, to, now?.turn, answered)),
    thanks,
    answers,
  }
}

/**
 * Waits up to 600 ms for the work hook, which may be late, where only work is missing. Gives the
 * sender's state at the end.
 */
async function afterWork(
  bus: Bus,
  request: SendRequest,
  known: Pick<Known, 'mode' | 'answers'>,
  seen: SessionState | undefined,
): Promise<SessionState | undefined> {
  const left = timeLeft(WORK_MS)
  for (let state = seen; ; state = stateFor(bus, request)) {
    if (openness(state?.turn) !== 'closed' || (state?.turn?.work ?? 0) > 0 || left() <= 0)
      return state
    const ledger = readLedger(bus.home, request.from)
    if (judgeAlone(bus, request, known, ledger, state).rule !== 'work gate') return state
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/**
 * Judges a message, and takes what it needs under the same lock: two that are sent at once do not
 * both get the one question, answer or work there is. Where the ledger cannot be written, a message
 * passes untaken, but not in a turn without the human's word.
 */
function reserve(bus: Bus, request: SendRequest, known: Known): Passed {
  const { from } = request
  if (from === HUMAN) return judge(bus, request, known, readLedger(bus.home, from), undefined)
  try {
    if (!existsSync(bus.home.messages)) ensureHome(bus.home)
    return inLedger<Passed>(bus, from, (ledger) => {
      const state = stateFor(bus, request)
      const judged = judge(bus, request, known, ledger, state)
      if (!judged.verdict.allow && known.mode === 'enforce') return [ledger, judged]
      const [next, taken] = take(bus, request, judged, ledger, state)
      return [next, { ...judged, taken }]
    })
  } catch (error) {
    const state = stateFor(bus, request)
    if (!isErrno(error, ...UNWRITABLE) || openness(state?.turn) === 'closed')
      throw homeError(bus.home, error)
    return { ...judge(bus, request, known, readLedger(bus.home, from), state), unnoted: error }
  }
}

async function sendOrGiveBack<T extends Sent>(
  ports: PassPorts,
  request: SendRequest,
  passed: Passed,
  send: (judged: Judged) => T | Promise<T>,
): Promise<T> {
  try {
    return await send(passed)
  } catch (error) {
    try {
      if (passed.taken) giveBack(ports.bus(), request, passed, passed.taken)
    } catch (also) {
      const why = also instanceof Error ? also.message : String(also)
      ports.notice(`the gate still counts it as sent (${why})`)
    }
    throw error
  }
}

/** Notes the id of an open question, and which message an approval has let pass. */
function noteSent(bus: Bus, { from, to, kind }: SendRequest, passed: Passed, id: string): void {
  if (passed.unnoted) throw passed.unnoted
  if (from === HUMAN) return
  if (kind === 'question') {
    changeLedger(bus, from, (ledger) => {
      const open = ledger.questions[to]
      // Its answer may have been read by now.
      return open?.id === ''
        ? { ...ledger, questions: { ...ledger.questions, [to]: { ...open, id } } }
        : ledger
    })
  }
  const { rule, reason } = passed.verdict
  if (rule === 'pre-approval')
    record(bus, 'approved', { name: from, to, id, by: 'pre-approval', reason })
}
