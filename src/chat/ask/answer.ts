import type { Bus } from '../../bus/bus.ts'
import { ensureInbox, type Home } from '../../bus/home.ts'
import { endAsk } from '../../bus/index/asks.ts'
import { markOf } from '../../bus/mail/marks.ts'
import { unreadIds } from '../../bus/mail/unread.ts'
import { nameNow, namesEver, withNamesNow } from '../../bus/names/names.ts'
import type { Message } from '../../message/message.ts'
import { lookAtOther, type OtherFacts, type OtherSide, otherSide } from '../../session/otherSide.ts'
import { isWorkingOn } from '../../session/workers.ts'
import { hintOnChanges, type Place } from '../../system/hints.ts'
import { timeLeft } from '../../system/timeLeft.ts'
import { createWaker } from '../../system/waker.ts'
import { answerTo, heldAnswer } from './answerTo.ts'

/**
 * An end without an answer: what was known of the other side then, and the chain of an answer that
 * is held back.
 */
export type NoAnswer = {
  outcome: 'idle' | 'asking' | 'gone' | 'timed out' | 'interrupted'
  other: OtherFacts
  heldChain?: string | undefined
  /** The id of the last message that the other side sent meanwhile, and that is no answer. */
  wrote?: string | undefined
}

/** How waiting for an answer ended. */
export type Outcome = { outcome: 'answered'; answer: Message } | NoAnswer

/** What is seen while waiting. `wrote`: the last unread message of the other side, no answer. */
export type Look = { side: OtherSide; other: OtherFacts; wrote?: string | undefined }

export type AnswerRequest = {
  question: Message
  timeoutMs: number
  /** Whether the time begins anew as long as a worker is at work on the question. */
  untilWorked?: boolean | undefined
  /** Whether idle and asking are waited through. */
  patient: boolean
  /** Called at each look that ends nothing. */
  onLook: (look: Look) => void
  /** Calls back when the user ends the wait. */
  onStop: (stop: () => void) => void
}

/**
 * The backup of file events: how often the files are looked at where none came. In milliseconds.
 */
const SCAN_MS = 5000

/**
 * Waits for the answer to a question. Wakes on events where an answer and the other side's state
 * stand, and looks every 5 s besides. At the end this process is no longer noted as waiting, and an
 * answer that came until then is given.
 */
export async function waitForAnswer(bus: Bus, request: AnswerRequest): Promise<Outcome> {
  const { question } = request
  const { home } = bus
  const waker = createWaker()
  let left = timeLeft(request.timeoutMs)
  let stopped = false
  request.onStop(() => {
    stopped = true
    waker.wake()
  })
  ensureInbox(home, question.from)
  const stopHints = hintOnChanges(placesOf(home, question), waker.wake)
  try {
    for (;;) {
      if (request.untilWorked && isWorkingOn(bus, nameNow(home, question.to), question.id))
        left = timeLeft(request.timeoutMs)
      const end = look(bus, request, left, stopped)
      if (end) return end
      await waker.sleep(Math.min(SCAN_MS, Math.max(1, left())))
    }
  } finally {
    stopHints()
  }
}

/**
 * An answer comes into the asker's inbox, and one that was held back rings when it is let go. The
 * registry, in the root, and the files of its own tell of the other side.
 */
function placesOf(home: Home, { from, to }: Message): Place[] {
  return [
    { directory: home.inbox(from) },
    { directory: home.bell(from) },
    { directory: home.states, isOf: (file) => file.startsWith(`${to}.`) },
    { directory: home.root, isOf: (file) => file === 'sessions.json' },
  ]
}

function look(
  bus: Bus,
  asked: AnswerRequest,
  left: () => number,
  stopped: boolean,
): Outcome | undefined {
  // Either side may have been renamed since the last look.
  const request = { ...asked, question: withNamesNow(bus.home, asked.question) }
  // Before the look for the answer: what comes after it may be that.
  const wrote = lastWritten(bus, request.question)
  const answer = answerTo(bus, request.question)
  if (answer) return { outcome: 'answered', answer }
  const other = lookAtOther(bus, request.question)
  const side = otherSide(other)
  if (stopped) return giveUp(bus, request, { outcome: 'interrupted', other })
  if (side === 'gone') return giveUp(bus, request, { outcome: side, other })
  if (side !== 'waiting' && !request.patient) return giveUp(bus, request, { outcome: side, other })
  if (left() <= 0) return giveUp(bus, request, { outcome: 'timed out', other })
  request.onLook({ side, other, wrote })
  return undefined
}

/** What the guardrails hold back has not been delivered yet. */
function lastWritten({ home }: Bus, { id, from, to }: Message): string | undefined {
  const names = namesEver(home, to)
  return unreadIds(home, from).findLast(
    (one) =>
      one > id &&
      names.some((name) => one.endsWith(`-from-${name}`)) &&
      markOf(home, from, one)?.ring !== 'held',
  )
}

/**
 * Whoever answers now either sees that nobody waits any more, and rings, or has delivered already:
 * then the answer is there.
 */
function giveUp(bus: Bus, { question }: AnswerRequest, end: NoAnswer): Outcome {
  endAsk(bus)
  const wrote = lastWritten(bus, question)
  const answer = answerTo(bus, question)
  if (answer) return { outcome: 'answered', answer }
  return { ...end, heldChain: heldAnswer(bus, question), wrote }
}
