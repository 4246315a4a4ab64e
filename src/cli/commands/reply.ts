import type { Command } from 'commander'
import { escalationId } from '../../bus/escalations.ts'
import { CodedError } from '../../errors.ts'
import { type Escalation, escalationOf } from '../../message/escalation.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN } from '../../message/name.ts'
import { ATTACH, type AttachFlags, attached } from '../attachOption.ts'
import { type BodyPorts, readBody } from '../body.ts'
import { addCommand } from '../command.ts'
import { findMessage } from '../findMessage.ts'
import { whoSpeaks } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { type Posted, type PostPorts, post } from '../post.ts'
import { type PriorityFlags, priorityFrom, QUIET, URGENT } from '../priority.ts'
import { hasLeft, leftNotice } from '../recipient.ts'
import { printSent } from '../sent.ts'

export type ReplyOptions = PriorityFlags &
  AttachFlags & {
    id: string
    words: string[]
    file?: string
    question?: boolean
    from?: string
  }

export function replyCommand(program: Command, ports: Ports, run = runReply): void {
  addCommand(
    program,
    'reply',
    'answer a message, in its thread',
    'agent-chat reply 20261121T033912 "It is a string, because of the rounding"\nagent-chat reply 3 2        # you, on decision 3: the second option',
  )
    .argument('<id>', 'the id of a message, any part that only one id has, or, for you, the number of a decision')
    .argument(
      '[message...]',
      'the body; - reads it from standard input. For a decision, the number of an option will do',
    )
    .option('--file <path>', 'read the body from a file')
    .option(...ATTACH)
    .option('--question', 'ask back: the answer is a question itself')
    .option(...URGENT)
    .option(...QUIET)
    .option('--from <name>', 'the sender, where nothing else tells')
    .action(async (id: string, words: string[], options: Omit<ReplyOptions, 'id' | 'words'> & { json?: boolean }) =>
      printSent(await run({ ...options, id, words }, ports), options.json === true, ports),
    )
}

/**
 * Answers a message: to its sender, in its thread, as `result` where it is a task of one's own. Tells of a sender who has left. Throws
 * `NOT_ADDRESSED` for a message that was not to the one who answers.
 */
export async function runReply(
  options: ReplyOptions,
  ports: PostPorts & BodyPorts & Pick<Ports, 'cwd'>,
): Promise<Posted> {
  const priority = priorityFrom(options)
  const { name: from } = await whoSpeaks(ports, options.from)
  const answered = findMessage(idFor(options.id, from, ports), from, ports)
  requireAnswerable(answered, from)
  const left = hasLeft(answered.from, ports)
  const decision = escalationOf(answered)
  const before = decision && (await import('../answerTo.ts')).answerTo(ports.bus(), answered)?.id
  const body = await readBody(options, ports, exampleOf(answered, decision))
  const files = await attached(options, ports)
  const chosen = decision?.choose(body)
  const posted = await post(
    {
      from,
      to: answered.from,
      kind: kindOf(answered, from, options),
      body: chosen?.body ?? body,
      extra: { ...(chosen === undefined ? {} : { choice: chosen.choice }), ...files },
      answered,
      priority,
    },
    ports,
  )
  if (left) ports.say(leftNotice(answered.from))
  if (before !== undefined) ports.say(`agent-chat: decision ${decision?.number} had an answer already: ${before}`)
  return posted
}

/**
 * For the human a short number is that of a decision, and never a part of an id that happens to hold it: an answer would go to anybody. Throws
 * `MESSAGE_UNKNOWN` where there is no such decision.
 */
function idFor(part: string, from: string, ports: Pick<Ports, 'bus'>): string {
  const number = from === HUMAN ? /^#?(\d{1,4})$/.exec(part)?.[1] : undefined
  if (number === undefined) return part
  const id = escalationId(ports.bus().home, Number(number))
  if (id !== undefined) return id
  throw new CodedError('MESSAGE_UNKNOWN', `there is no decision ${Number(number)}`, {
    hint: 'see what waits for you with: agent-chat status human',
  })
}

/** What was written to somebody, they may answer. The human may answer whatever their agents wrote. */
function requireAnswerable(message: Message, from: string): void {
  if (message.from === from) {
    throw new CodedError('NOT_ADDRESSED', `${message.id} is from @${from}: nobody answers themselves`, {
      hint: `to write to the same session again: agent-chat send @${message.to} --reply-to ${message.id} "…"`,
    })
  }
  if (from === HUMAN || message.to === from) return
  throw new CodedError('NOT_ADDRESSED', `${message.id} was to @${message.to}, not to @${from}`, {
    hint: `to tell @${message.from} something about it: agent-chat send @${message.from} "…"`,
  })
}

function exampleOf(answered: Message, decision: Escalation | undefined): string {
  if (decision === undefined) return `agent-chat reply ${answered.id} "what you want to say"`
  const inWords = `agent-chat reply ${decision.number} "your decision"`
  return decision.options.length === 0 ? inWords : `agent-chat reply ${decision.number} <number>, or: ${inWords}`
}

/** The result of a task is what the one who has it says. */
function kindOf(answered: Message, from: string, { question }: Pick<ReplyOptions, 'question'>): string {
  if (question) return 'question'
  return answered.kind === 'task' && answered.to === from ? 'result' : 'reply'
}
