import type { Command } from 'commander'
import type { Look } from '../../chat/ask/answer.ts'
import { type Asked, ask, askedJson, resumeAsk } from '../../chat/ask/ask.ts'
import { endError } from '../../chat/ask/askEnd.ts'
import { readerHere } from '../../chat/identity.ts'
import { type Posted, postedJson } from '../../chat/post.ts'
import { send } from '../../chat/send.ts'
import { CodedError } from '../../errors.ts'
import type { Message } from '../../message/message.ts'
import { whyWithheld } from '../../session/withheld.ts'
import { addCommand } from '../command.ts'
import { parseWait } from '../options/argument.ts'
import { FILE, MESSAGE, readBody } from '../options/body.ts'
import { type PriorityFlags, priorityFrom, QUIET, URGENT } from '../options/message.ts'
import { toRecipient, withSpeaker } from '../options/recipient.ts'
import {
  AFTER,
  CONVERSATION,
  conversationField,
  requireStream,
  STREAM,
  type StreamFlags,
} from '../options/stream.ts'
import type { Ports } from '../ports.ts'
import { printSent, renderAnswerFoot, renderMessage } from '../render/message.ts'
import { NO_LINE, openLine } from '../render/statusLine.ts'

type AskFlags = PriorityFlags &
  StreamFlags & {
    message?: string
    file?: string
    resume?: string
    timeout?: number
    wait: boolean
    untilIdle?: boolean
    from?: string
    json?: boolean
  }

const DEFAULT_SECONDS = 300

const ENDS = `
Ends, with the word for them in --json:
  answered     the answer is printed, and read                      exit 0
  sent         with --no-wait: it was asked                         exit 0
  idle         with --until-idle: its turn ended without an answer  exit 5
  asking       with --until-idle: its user has a dialog open        exit 5
  gone         it left, or its agent has ended                      exit 4
  timed out    no answer in that time                               exit 5
  interrupted  you pressed Ctrl-C                                   exit 130
A question without an answer stays open: a later answer comes as a message.`

export function askCommand(program: Command, ports: Ports): void {
  const command = addCommand(
    program,
    'ask',
    'agent-chat ask @backend "Is amount a string on purpose?" -t 120\nagent-chat ask --resume k7f3m',
  )
  withSpeaker(command, ports)
    .argument('[recipient]', 'a session, as @name')
    .argument('[question...]', 'the question; - reads standard input')
    .option(
      '-t, --timeout <time>',
      'how long to wait for the answer, as 90s or 2m (default: 5m; without it, it waits for a worker that works on the question)',
      parseWait,
    )
    .option('--no-wait', 'return at once: the answer comes as a message')
    .option(
      '--until-idle',
      'stop waiting when its turn ends without an answer, or its user has a dialog open',
    )
    .option('--resume <id>', 'wait again for the answer to an earlier question')
    .option(...STREAM)
    .option(...AFTER)
    .option(...CONVERSATION)
    .option(...MESSAGE)
    .option(...FILE)
    .option(...URGENT)
    .option(...QUIET)
    .addHelpText('after', ENDS)
    .action(async (recipient: string | undefined, words: string[], flags: AskFlags) => {
      const asked = await askOrResume(recipient, words, flags, ports)
      if (asked && asked.outcome !== 'answered')
        throw endError(asked.question, asked, flags.timeout ?? DEFAULT_SECONDS)
    })
}

async function askOrResume(
  recipient: string | undefined,
  words: string[],
  flags: AskFlags,
  ports: Ports,
): Promise<Asked | undefined> {
  requireStream(flags, flags.wait)
  const priority = priorityFrom(flags)
  // Standard error is one object then: the error, which has the id.
  const line = flags.json || flags.stream ? NO_LINE : await openLine(ports)
  // Only a stream needs what follows one.
  // Its words are another's text.
  const stream =
    flags.stream && whyWithheld(readerHere(ports), ports.bus()) === undefined
      ? (await import('../render/stream.ts')).printStream(flags, ports)
      : undefined
  const wait = {
    timeoutMs: (flags.timeout ?? DEFAULT_SECONDS) * 1000,
    untilWorked: flags.timeout === undefined,
    patient: !flags.untilIdle,
    taker: flags.wait ? await ports.outputTaker() : undefined,
    onLook: (question: Message, look: Look) => {
      stream?.begin(question)
      line.show(question, look)
    },
    show: (asked: Asked) => {
      line.close()
      print(asked, stream?.end(asked.question) ?? false, flags, ports)
    },
  }
  const content = async (_: string, to: string) => ({
    body: await readBody(
      { ...flags, words },
      ports,
      `agent-chat ask @${to} "what you want to know"`,
    ),
    extra: conversationField(flags),
  })
  try {
    if (flags.resume !== undefined) {
      requireNothingNew(recipient, flags)
      return await resumeAsk(flags.resume, flags.from, wait, ports)
    }
    if (recipient === undefined) {
      throw new CodedError('USAGE', 'missing recipient', {
        hint: 'agent-chat ask @name "the question"; to keep waiting: agent-chat ask --resume <id>',
      })
    }
    const request = { recipient, from: flags.from, priority }
    if (flags.wait)
      return await toRecipient('ask', recipient, words, () => ask(request, content, wait, ports))
    const posted = await toRecipient('ask', recipient, words, () =>
      send({ ...request, kind: 'question' }, content, ports),
    )
    await printAsked(posted, flags, ports)
    return undefined
  } finally {
    stream?.stop()
    line.close()
  }
}

/** Of a question whose answer nobody waits for. */
async function printAsked(posted: Posted, { json }: AskFlags, ports: Ports): Promise<void> {
  const data = { outcome: 'sent', question: postedJson(posted), answer: null }
  if (json) ports.print(`${JSON.stringify(data)}\n`)
  else await printSent(posted, false, ports)
}

function requireNothingNew(recipient: string | undefined, flags: AskFlags): void {
  if (
    recipient === undefined &&
    (flags.message ?? flags.file) === undefined &&
    flags.wait &&
    flags.conversation === undefined &&
    !flags.urgent &&
    !flags.quiet
  )
    return
  throw new CodedError('USAGE', '--resume takes no new question', {
    hint: 'use it alone: agent-chat ask --resume <id>',
  })
}

/**
 * Prints an answer, or, with `--json`, what came of the question in any case. `streamed`: its words
 * have been printed.
 */
function print(asked: Asked, streamed: boolean, { json }: AskFlags, ports: Ports): void {
  if (json) ports.print(`${JSON.stringify(askedJson(asked))}\n`)
  else if (asked.outcome === 'answered') {
    const { answer, question } = asked
    const text = streamed ? '' : renderMessage(answer, ports.bus().clock.now()).trimStart()
    ports.print(`${text}${renderAnswerFoot(answer, question.from)}`)
  }
}
