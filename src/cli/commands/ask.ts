import type { Command } from 'commander'
import { beginAsk, endAsk, noteAsk } from '../../bus/asks.ts'
import type { Bus } from '../../bus/bus.ts'
import { markRead } from '../../bus/inbox.ts'
import { withNamesNow } from '../../bus/names.ts'
import { readSessions, type Sessions } from '../../bus/registry.ts'
import { CodedError } from '../../errors.ts'
import { noteShown } from '../../gate/reads.ts'
import type { Message } from '../../message/message.ts'
import { HUMAN, parseRecipient } from '../../message/name.ts'
import type { Priority } from '../../message/priority.ts'
import { isErrno } from '../../system/errno.ts'
import type { Outcome } from '../answer.ts'
import { answerTo } from '../answerTo.ts'
import { parseSeconds } from '../argument.ts'
import { circleError, ENDS, endError, noQuestion, requireAnswerer } from '../askEnd.ts'
import { releaseAwaited } from '../awaited.ts'
import { type BodyPorts, readBody } from '../body.ts'
import { addCommand } from '../command.ts'
import { findMessage } from '../findMessage.ts'
import { whoSpeaks } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { type PostPorts, post } from '../post.ts'
import { type PriorityFlags, priorityFrom, QUIET, URGENT } from '../priority.ts'
import { recipientFor } from '../recipient.ts'
import { messageJson, renderAnswerFoot, renderMessage } from '../render/message.ts'
import { plural } from '../render/text.ts'
import { openLine, type StatusLine } from '../statusLine.ts'

export type AskOptions = PriorityFlags & {
  recipient?: string
  words: string[]
  file?: string
  resume?: string
  timeout: number
  wait: boolean
  from?: string
}

/** A question and how waiting for its answer ended. */
export type Asked = { question: Message } & Outcome

type AskPorts = PostPorts & BodyPorts & Pick<Ports, 'onStop' | 'tmux'>

export function askCommand(program: Command, ports: Ports, run = runAsk): void {
  addCommand(
    program,
    'ask',
    'ask a session a question and wait for its answer',
    'agent-chat ask @backend "Is amount a string on purpose?" --timeout 120\nagent-chat ask --resume 20261121T033912',
  )
    .argument('[recipient]', 'a session, as @name')
    .argument('[question...]', 'the question; - reads it from standard input')
    .option('--timeout <seconds>', 'how long to wait for the answer', parseSeconds, 300)
    .option('--no-wait', 'end as soon as the other side is idle without an answer, or its user has a dialog open')
    .option('--resume <id>', 'wait again for the answer to a question that was asked before')
    .option('--file <path>', 'read the question from a file')
    .option(...URGENT)
    .option(...QUIET)
    .option('--from <name>', 'the sender, where nothing else tells')
    .addHelpText('after', ENDS)
    .action(
      async (
        recipient: string | undefined,
        words: string[],
        flags: Omit<AskOptions, 'words' | 'recipient'> & { json?: boolean },
      ) => {
        const options = { ...flags, words, ...(recipient === undefined ? {} : { recipient }) }
        const asked = await run(options, ports, await openLine(ports), printer(options, ports))
        if (asked.outcome !== 'answered') throw endError(asked.question, asked, options.timeout)
      },
    )
}

/**
 * Asks, waits until there is an answer, none can come, or the time is up, and has `show` show what came of it. An answer is marked as read once it has
 * been shown; until then this process counts as waiting, so that nobody rings for it. Throws, before anything is sent, for a question that cannot be
 * answered: `USAGE`, `SESSION_UNKNOWN`, `SESSION_GONE`, `HUMAN_UNREACHABLE`, `ASK_CIRCLE`.
 */
export async function runAsk(
  options: AskOptions,
  ports: AskPorts,
  line: StatusLine,
  show: (asked: Asked) => void,
): Promise<Asked> {
  const bus = ports.bus()
  const priority = priorityFrom(options)
  const sessions = readSessions(bus.home)
  const { name: from } = await whoSpeaks(ports, options.from, sessions)
  let shown: string | undefined
  try {
    const question = await (options.resume === undefined
      ? ask(options, from, sessions, priority, ports)
      : resume(options.resume, options, from, ports))
    const end = await wait(question, options, ports, line).catch((error) => {
      // What went wrong is told; that the question was not sent must not be taken from it.
      ports.say(`agent-chat: asked as ${question.id}; wait on with: agent-chat ask --resume ${question.id}`)
      throw error
    })
    // Either side may have been renamed meanwhile.
    const asked: Asked = { question: withNamesNow(bus.home, question), ...end }
    line.close()
    if (asked.outcome === 'answered') shown = readAnswer(asked.answer, () => show(asked), bus)
    else show(asked)
    return asked
  } finally {
    line.close()
    endAsk(bus)
    ringForRest(from, shown, ports)
  }
}

async function ask(
  options: AskOptions,
  from: string,
  sessions: Sessions,
  priority: Priority | undefined,
  ports: AskPorts,
): Promise<Message> {
  if (options.recipient === undefined) {
    throw new CodedError('USAGE', 'nobody is asked', { hint: 'agent-chat ask @name "the question", or --resume <id>' })
  }
  const bus = ports.bus()
  const to = recipientFor(parseRecipient(options.recipient), sessions, ports)
  if (from === to) {
    throw new CodedError('USAGE', `@${to} cannot ask itself`, { hint: 'see who is there with: agent-chat who' })
  }
  await requireAnswerer(to, ports)
  const body = await readBody(options, ports, `agent-chat ask @${to} "what you want to know"`)
  const circle = beginAsk(bus, from, to, null)
  if (circle) throw circleError(circle, false)
  const onSent = (message: Message) => noteQuestion(message, ports)
  const { message, warning } = await post({ from, to, kind: 'question', body, priority, onSent }, ports)
  if (warning !== undefined) ports.say(`agent-chat: ${warning}`)
  return message
}

/** It is asked by now. Whoever answers it without this note rings for the answer, and it is waited for all the same. */
function noteQuestion({ from, to, id }: Message, ports: AskPorts): void {
  const bus = ports.bus()
  try {
    noteAsk(bus, { waiter: bus.processes.self(), from, to, id })
  } catch (error) {
    if (!isErrno(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'ENOENT')) throw error
    ports.say(`agent-chat: asked, but could not be noted as waited for (${error.message})`)
  }
}

function resume(part: string, options: AskOptions, from: string, ports: AskPorts): Message {
  if (options.recipient !== undefined || options.file !== undefined || options.urgent || options.quiet) {
    throw new CodedError('USAGE', '--resume asks nothing new', {
      hint: 'leave the rest out: agent-chat ask --resume <id>',
    })
  }
  const question = findMessage(part, from, ports)
  if (question.from !== from) {
    throw new CodedError('NOT_ADDRESSED', `${question.id} was asked by @${question.from}, not by @${from}`, {
      hint: `wait for answers to questions of your own; see them with: agent-chat history --with @${from}`,
    })
  }
  if (question.kind !== 'question') throw noQuestion(question)
  const circle = beginAsk(ports.bus(), from, question.to, question.id)
  if (circle) throw circleError(circle, true)
  return question
}

/** An answer that is there already is given without loading what waits. */
async function wait(question: Message, options: AskOptions, ports: AskPorts, line: StatusLine): Promise<Outcome> {
  const bus = ports.bus()
  const answer = answerTo(bus, question)
  if (answer) return { outcome: 'answered', answer }
  const { waitForAnswer } = await import('../answer.ts')
  return waitForAnswer(bus, {
    question,
    timeoutMs: options.timeout * 1000,
    patient: options.wait,
    onLook: (look) => line.show(question, look),
    onStop: ports.onStop,
  })
}

/** The gate knows of an answer before it is shown, and it is read afterwards. Gives its id. */
function readAnswer(answer: Message, show: () => void, bus: Bus): string {
  noteShown(bus, answer.to, [answer])
  show()
  markRead(bus, answer.to, answer.id)
  return answer.id
}

/** What came besides the answer, or could not be shown, rings like any other message. */
function ringForRest(from: string, shown: string | undefined, ports: Pick<Ports, 'bus' | 'say'>): void {
  const more = releaseAwaited(ports.bus(), from, shown)
  // An agent is rung for it. The human sits before this very line.
  if (more > 0 && from === HUMAN) ports.say(`agent-chat: ${plural(more, 'more answer')} came: agent-chat inbox`)
}

/** Prints an answer, or, with `--json`, what came of the question in any case. */
function printer({ json }: { json?: boolean }, ports: Pick<Ports, 'bus' | 'print'>): (asked: Asked) => void {
  return (asked) => {
    const { question, outcome } = asked
    const answer = asked.outcome === 'answered' ? asked.answer : undefined
    if (json) {
      const data = { outcome, question: messageJson(question), answer: answer ? messageJson(answer) : null }
      ports.print(`${JSON.stringify(data)}\n`)
    } else if (answer) {
      const text = renderMessage(answer, ports.bus().clock.now()).trimStart()
      ports.print(`${text}${renderAnswerFoot(answer, question.from)}`)
    }
  }
}
