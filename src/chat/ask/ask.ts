import { beginAsk, endAsk, noteAsk } from '../../bus/index/asks.ts'
import { markRead } from '../../bus/mail/inbox.ts'
import { dropMark } from '../../bus/mail/marks.ts'
import { withNamesNow } from '../../bus/names/names.ts'
import { readSessions, type Sessions } from '../../bus/names/registry.ts'
import { CodedError } from '../../errors.ts'
import { messageJson } from '../../message/json.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN, parseRecipient } from '../../message/name.ts'
import { shortId } from '../../message/shortId.ts'
import { plural } from '../../message/text.ts'
import type { Identity } from '../../session/identity.ts'
import { noteSeen } from '../../session/rings.ts'
import { seenBy, whyWithheld } from '../../session/withheld.ts'
import { isErrno } from '../../system/errno.ts'
import { noteShown } from '../../trust/sendGate/shown.ts'
import { type ContentSource, contentOf } from '../content.ts'
import { findMessage } from '../findMessage.ts'
import { whoSpeaks } from '../identity.ts'
import { type Keep, keepUnread, whyKept } from '../keepUnread.ts'
import type { Ports } from '../ports.ts'
import { post } from '../post.ts'
import { recipientFor } from '../recipient.ts'
import type { SendPorts, SendRequest } from '../send.ts'
import type { Look, Outcome } from './answer.ts'
import { answerTo } from './answerTo.ts'
import { asksItself, circleError, noQuestion, requireAnswerer } from './askEnd.ts'
import { releaseAwaited } from './awaited.ts'

/** How an answer is waited for, and what is told of that. */
export type Wait = {
  timeoutMs: number
  /** Whether the time begins anew as long as a worker is at work on the question. */
  untilWorked?: boolean
  /** Whether the other side's idleness and open dialogs are waited through. */
  patient: boolean
  /** Called at each look that ends nothing. */
  onLook: (question: Message, look: Look) => void
  /** Shows what came of it. An answer is marked as read once this has returned. */
  show: (asked: Asked) => void
  /** What takes the output and may pass only some of it on: the answer stays unread then. */
  taker?: string | undefined
  /** Takes what marks the answer as read, for later; without it, that is done after `show`. */
  accept?: (mark: () => void) => void
}

/** A question and how waiting for its answer ended. */
export type Asked = { question: Message } & Outcome

export type AskPorts = SendPorts & Pick<Ports, 'onStop' | 'tmux'>

/**
 * Asks, and waits until there is an answer, none can come, or the time is up. Until an answer has
 * been shown, this process counts as waiting, so that nobody rings for it. Throws, before anything
 * is sent, for a question that cannot be answered: `USAGE`, `SESSION_UNKNOWN`, `SESSION_GONE`,
 * `HUMAN_UNREACHABLE`, `ASK_CIRCLE`.
 */
export async function ask(
  request: Pick<SendRequest, 'recipient' | 'from' | 'priority'>,
  content: ContentSource,
  wait: Wait,
  ports: AskPorts,
): Promise<Asked> {
  const sessions = readSessions(ports.bus().home)
  const reader = await whoSpeaks(ports, request.from, sessions)
  const from = reader.name
  return waited(reader, wait, ports, () => pose({ ...request, from }, content, sessions, ports))
}

/** Waits again for the answer to a question that was asked before. `id`: a part of its id. */
export async function resumeAsk(
  id: string,
  from: string | undefined,
  wait: Wait,
  ports: AskPorts,
): Promise<Asked> {
  const reader = await whoSpeaks(ports, from)
  return waited(reader, wait, ports, async () => ownQuestion(id, reader.name, ports))
}

/** What came of a question, as data. */
export function askedJson(asked: Asked): Record<string, unknown> {
  const { outcome, question } = asked
  const answer = asked.outcome === 'answered' ? messageJson(asked.answer) : null
  return { outcome, question: messageJson(question), answer }
}

async function waited(
  reader: Identity,
  wait: Wait,
  ports: AskPorts,
  begin: () => Promise<Message>,
): Promise<Asked> {
  const bus = ports.bus()
  const keep = whyKept(reader, wait.taker, ports)
  let shown: string | undefined
  const onStop = stopsFrom(ports)
  try {
    const question = await begin()
    const end = await outcomeOf(question, wait, { ...ports, onStop }).catch((error) => {
      // What went wrong is told; that the question was not sent must not be taken from it.
      ports.notice(
        `asked as ${shortId(question.id)}; to keep waiting: agent-chat ask --resume ${shortId(question.id)}`,
      )
      throw error
    })
    // Either side may have been renamed meanwhile.
    const asked: Asked = { question: withNamesNow(bus.home, question), ...end }
    if (asked.outcome !== 'answered') {
      wait.show(asked)
      return asked
    }
    const why = whyWithheld(reader, bus)
    const seen = { ...asked, answer: seenBy(reader, bus, why)(asked.answer) }
    // An answer whose text is withheld stays unread.
    if (why === undefined) shown = readAnswer(reader, seen, wait, keep, ports)
    else wait.show(seen)
    return seen
  } finally {
    endAsk(bus)
    ringForRest(reader.name, shown, ports)
  }
}

/** From now on a stop is kept for whoever waits later: the question may be sent by then. */
function stopsFrom(ports: Pick<Ports, 'onStop'>): Ports['onStop'] {
  let stopped: NodeJS.Signals | undefined
  let told: (signal: NodeJS.Signals) => void = () => {}
  ports.onStop((signal) => {
    stopped = signal
    told(signal)
  })
  return (callback) => {
    told = callback
    if (stopped) callback(stopped)
  }
}

async function pose(
  { recipient, from, priority }: { from: string } & Pick<SendRequest, 'recipient' | 'priority'>,
  content: ContentSource,
  sessions: Sessions,
  ports: AskPorts,
): Promise<Message> {
  const bus = ports.bus()
  const notices: string[] = []
  const notice = (text: string) => notices.push(text)
  const to = await recipientFor(parseRecipient(recipient), sessions, { ...ports, notice })
  if (from === to) throw asksItself(to)
  await requireAnswerer(to, ports)
  // Where nothing is asked, no inbox keeps it.
  notices.forEach(ports.notice)
  const said = await contentOf(content, from, to)
  const circle = beginAsk(bus, from, to, null)
  if (circle) throw circleError(circle, false)
  const onSent = (message: Message) => noteQuestion(message, ports)
  const { message, warning } = await post(
    { from, to, kind: 'question', ...said, priority, onSent },
    ports,
  )
  if (warning !== undefined) ports.notice(warning)
  return message
}

/** It is asked by now: whoever answers it without this note rings, and is waited for as well. */
function noteQuestion({ from, to, id }: Message, ports: AskPorts): void {
  const bus = ports.bus()
  try {
    noteAsk(bus, { waiter: bus.processes.self(), from, to, id })
  } catch (error) {
    if (!isErrno(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'ENOENT')) throw error
    ports.notice(`asked, but agent-chat could not record that you wait for it (${error.message})`)
  }
}

function ownQuestion(part: string, from: string, ports: AskPorts): Message {
  const question = findMessage(part, from, ports)
  if (question.from !== from) {
    throw new CodedError(
      'NOT_ADDRESSED',
      `${shortId(question.id)} was asked by @${question.from}, not by @${from}`,
      {
        hint: `wait only for your own questions; see them with: agent-chat history --with @${from}`,
      },
    )
  }
  if (question.kind !== 'question') throw noQuestion(question)
  const circle = beginAsk(ports.bus(), from, question.to, question.id)
  if (circle) throw circleError(circle, true)
  return question
}

/** An answer that is there already is given without loading what waits. */
async function outcomeOf(question: Message, wait: Wait, ports: AskPorts): Promise<Outcome> {
  const bus = ports.bus()
  const answer = answerTo(bus, question)
  if (answer) return { outcome: 'answered', answer }
  const { waitForAnswer } = await import('./answer.ts')
  return waitForAnswer(bus, {
    question,
    timeoutMs: wait.timeoutMs,
    patient: wait.patient,
    untilWorked: wait.untilWorked,
    onLook: (look) => wait.onLook(question, look),
    onStop: ports.onStop,
  })
}

/** The gate knows of an answer before it is shown, and it is read afterwards. Gives its id. */
function readAnswer(
  reader: Identity,
  asked: Asked & { answer: Message },
  { show, accept = (mark) => mark() }: Wait,
  keep: Keep | undefined,
  ports: AskPorts,
): string {
  const bus = ports.bus()
  const { answer } = asked
  noteShown(bus, answer.to, [answer])
  show(asked)
  if (keep === undefined) accept(() => markRead(bus, answer.to, answer.id))
  else {
    dropMark(bus.home, answer.to, answer.id)
    if ('subagent' in keep) noteSeen(bus, answer.to, [answer.id])
    keepUnread({ ...reader, name: answer.to }, [answer], keep, ports)
  }
  return answer.id
}

/** What came besides the answer, or could not be shown, rings like any other message. */
function ringForRest(from: string, shown: string | undefined, ports: AskPorts): void {
  const more = releaseAwaited(ports.bus(), from, shown)
  // An agent is rung for it. The human sits before this very line.
  if (more > 0 && from === HUMAN)
    ports.notice(`${plural(more, 'more answer')} came: agent-chat inbox`)
}
