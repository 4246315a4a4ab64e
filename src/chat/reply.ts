import { asOnlyAnswerer, escalationId } from '../bus/index/escalations.ts'
import { parseBody } from '../bus/mail/draft.ts'
import { findSession, readSessions } from '../bus/names/registry.ts'
import { CodedError, isCoded } from '../errors.ts'
import { type Escalation, escalationOf } from '../message/escalation.ts'
import type { Message } from '../message/message.ts'
import { HUMAN, quote } from '../message/name.ts'
import type { Priority } from '../message/priority.ts'
import { isFromHuman } from '../message/proven.ts'
import { shortId } from '../message/shortId.ts'
import type { Content } from './content.ts'
import { findMessage } from './findMessage.ts'
import { whoSpeaks } from './identity.ts'
import { type Posted, post } from './post.ts'
import { absentNotice } from './recipient.ts'
import type { SendPorts } from './send.ts'

/**
 * An answer. `id`: any part of an id that only one message has; for the human, also the number of a
 * decision. `question`: whether it asks back. `from`: the sender where nothing else tells.
 */
export type ReplyRequest = {
  id: string
  from?: string | undefined
  question?: boolean | undefined
  priority?: Priority | undefined
}

/** A body, or what finds it once the message that is answered is known. */
export type ReplySource =
  | string
  | ((answered: Message, decision: Escalation | undefined) => Promise<Content>)

/**
 * Answers a message: to its sender, in its thread, as `result` where it is a task of one's own.
 * Whatever the human answers is read. Tells of a sender who has left. Throws `NOT_ADDRESSED` for a
 * message to somebody else, `USAGE` for a decision that has an answer, and as `post()`.
 */
export async function reply(
  request: ReplyRequest,
  content: ReplySource,
  ports: SendPorts,
): Promise<Posted> {
  const { name: from } = await whoSpeaks(ports, request.from)
  const answered = findMessage(idFor(request.id, from, ports), from, ports)
  requireAnswerable(answered, from)
  const absent = await absentNotice(answered.from, ports)
  const decision = escalationOf(answered)
  const open = request.question ? undefined : decision
  if (open) await requireOpen(answered, open.number, ports)
  const { body, extra = {} } =
    typeof content === 'string'
      ? { body: parseBody(Buffer.from(content)) }
      : await content(answered, decision)
  const chosen = decision?.choose(body)
  const send = () =>
    post(
      {
        from,
        to: answered.from,
        kind: kindOf(answered, from, request),
        body: chosen?.body ?? body,
        extra: { ...(chosen === undefined ? {} : { choice: chosen.choice }), ...extra },
        answered,
        priority: request.priority,
      },
      ports,
    )
  const posted = await (open ? sendOnce(answered, open.number, send, ports) : send())
  if (isFromHuman(posted.message)) await markAnswered(answered, ports)
  if (absent !== undefined) ports.notice(absent)
  return posted
}

/** Whatever the human answers is read. Another reader that keeps at it holds up no answer. */
async function markAnswered(answered: Message, ports: SendPorts): Promise<void> {
  const { markSeen } = await import('./markSeen.ts')
  try {
    await markSeen(ports.bus(), [answered])
  } catch (error) {
    if (!isCoded(error, 'LOCKED')) throw error
  }
}

/** Two surfaces may answer at once, and another may have answered while the text was read. */
function sendOnce(
  asked: Message,
  number: number,
  send: () => Promise<Posted>,
  ports: SendPorts,
): Promise<Posted> {
  return asOnlyAnswerer(ports.bus(), number, async () => {
    await requireOpen(asked, number, ports)
    return send()
  })
}

/**
 * A decision is made once: the session that asked may have acted on it. An answer that does not
 * count leaves it open. Throws `USAGE`.
 */
async function requireOpen(asked: Message, number: number, ports: SendPorts): Promise<void> {
  const { countedAnswer } = await import('../trust/human/answers.ts')
  const answer = countedAnswer(ports.bus(), asked)
  if (answer === undefined) return
  throw new CodedError('USAGE', `decision ${number} already has an answer: ${shortId(answer.id)}`, {
    hint: `to say more: agent-chat send @${asked.from} --reply-to ${shortId(asked.id)} "…"`,
  })
}

/**
 * For the human a short number is that of a decision, and never a part of an id that happens to
 * hold it: an answer would go to anybody. Throws `MESSAGE_UNKNOWN` where there is no such decision,
 * and `USAGE` for a name: it is a part of all ids of that session.
 */
function idFor(part: string, from: string, ports: SendPorts): string {
  const name = part.replace(/^@/, '')
  if (part.startsWith('@') || findSession(readSessions(ports.bus().home), name))
    throw new CodedError('USAGE', `${quote(part)} is a session, and reply answers a message`, {
      hint: `agent-chat send @${name} "…"; or see the ids with: agent-chat history`,
    })
  const number = from === HUMAN ? /^#?(\d{1,4})$/.exec(part)?.[1] : undefined
  if (number === undefined) return part
  const id = escalationId(ports.bus().home, Number(number))
  if (id !== undefined) return id
  throw new CodedError('MESSAGE_UNKNOWN', `there is no decision ${Number(number)}`, {
    hint: 'see what waits for you with: agent-chat status human',
  })
}

/**
 * What was written to somebody, they may answer. The human may answer whatever their agents wrote.
 */
function requireAnswerable(message: Message, from: string): void {
  if (message.from === from) {
    throw new CodedError('NOT_ADDRESSED', `${shortId(message.id)} is from @${from}, which is you`, {
      hint: `to write to the same session again: agent-chat send @${message.to} --reply-to ${shortId(message.id)} "…"`,
    })
  }
  if (from === HUMAN || message.to === from) return
  throw new CodedError(
    'NOT_ADDRESSED',
    `${shortId(message.id)} was to @${message.to}, not to @${from}`,
    {
      hint: `to tell @${message.from} something about it: agent-chat send @${message.from} "…"`,
    },
  )
}

/** The result of a task is what the one who has it says. */
function kindOf(
  answered: Message,
  from: string,
  { question }: Pick<ReplyRequest, 'question'>,
): string {
  if (question) return 'question'
  return answered.kind === 'task' && answered.to === from ? 'result' : 'reply'
}
