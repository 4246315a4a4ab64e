import type { Command } from 'commander'
import type { StageName } from '../../bus/fate.ts'
import { readSessions } from '../../bus/registry.ts'
import type { Draft } from '../../bus/send.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { KINDS, type Message } from '../../message/message.ts'
import { parseRecipient } from '../../message/name.ts'
import { parseSeconds } from '../argument.ts'
import { ATTACH, type AttachFlags, attached } from '../attachOption.ts'
import { parseSubject, readBody } from '../body.ts'
import { addCommand } from '../command.ts'
import { whoSpeaks } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { type Posted, type PostPorts, post } from '../post.ts'
import { type PriorityFlags, priorityFrom, QUIET, URGENT } from '../priority.ts'
import { recipientFor } from '../recipient.ts'
import { messageJson } from '../render/message.ts'

export type SendOptions = PriorityFlags &
  AttachFlags & {
    recipient: string
    words: string[]
    file?: string
    kind?: string
    subject?: string
    replyTo?: string
    question?: boolean
    from?: string
    handover?: boolean
    withDiffstat?: boolean
  }

type SendFlags = Omit<SendOptions, 'recipient' | 'words'> & { json?: boolean; wait?: StageName; timeout?: number }

type SendPorts = PostPorts & Pick<Ports, 'readStdin' | 'readFile' | 'isTerminal' | 'cwd'>

export function sendCommand(program: Command, ports: Ports, run = runSend): void {
  addCommand(
    program,
    'send',
    'send a message to one session',
    'agent-chat send @frontend "GET /tasks is ready"\nagent-chat send @frontend --subject "API contract" --file handover.md\ngit diff --stat | agent-chat send @frontend -',
  )
    .argument('<recipient>', 'a session, as @name')
    .argument('[message...]', 'the body; - reads it from standard input')
    .option('--file <path>', 'read the body from a file')
    .addOption(program.createOption('--kind <kind>', 'what the message is').choices(KINDS))
    .option('--subject <line>', 'one line that says what it is about')
    .option('--reply-to <id>', 'the message that this one answers')
    .option('--question', 'the same as --kind question')
    .option(
      '--handover',
      'in the format of a handover: says which parts are missing; at a terminal it opens your editor',
    )
    .option('--with-diffstat', 'add what has changed in this git repository since the last handover to that session')
    .option(...ATTACH)
    .option(...URGENT)
    .option(...QUIET)
    .option('--from <name>', 'the sender, where nothing else tells')
    .addOption(
      program
        .createOption('--wait <stage>', 'wait until it has come so far')
        .choices(['rung', 'presented', 'read', 'answered']),
    )
    .option('--timeout <seconds>', 'how long to wait (default: 60)', parseSeconds)
    .action(async (recipient: string, words: string[], options: SendFlags) => {
      if (options.timeout !== undefined && options.wait === undefined)
        throw new CodedError('USAGE', '--timeout goes with --wait', { hint: 'say for what: --wait read' })
      const { message, warning, silent } = await run({ ...options, recipient, words }, ports)
      if (warning !== undefined) ports.say(`agent-chat: ${warning}`)
      if (!options.json) ports.print(`sent ${message.id} to @${message.to}\n`)
      const waited = options.wait && (await wait(message, options.wait, options.timeout ?? 60, ports))
      if (options.json) ports.print(`${JSON.stringify({ ...messageJson(message), ...silent, ...stageJson(waited) })}\n`)
      else if (waited?.stage) ports.print(`${waited.stage} ${message.id}\n`)
      if (waited?.error) throw waited.error
    })
}

/** Sends one message. Nothing is written before the recipient, the sender and the body have been checked. */
export async function runSend(options: SendOptions, ports: SendPorts): Promise<Posted> {
  const recipient = parseRecipient(options.recipient)
  const kind = kindOf(options)
  const priority = priorityFrom(options)
  const subject = options.subject === undefined ? undefined : parseSubject(options.subject)
  const bus = ports.bus()
  const sessions = readSessions(bus.home)
  const { name: from } = await whoSpeaks(ports, options.from, sessions)
  const to = recipientFor(recipient, sessions, ports)
  const answered = options.replyTo === undefined ? undefined : await findAnswered(options.replyTo, from, ports)
  const { body, extra, sent, failed } = await contentOf(from, to, options, ports)
  const subjectLine = subject === undefined ? {} : { subject }
  try {
    const posted = await post(
      { from, to, kind: kind ?? (answered ? 'reply' : 'handover'), body, extra, ...subjectLine, answered, priority },
      ports,
    )
    sent?.()
    return posted
  } catch (error) {
    failed?.()
    throw error
  }
}

type Content = Required<Pick<Draft, 'body' | 'extra'>> & { sent?: () => void; failed?: () => void }

/** What the message says and carries. What only handovers need is loaded for them. */
async function contentOf(from: string, to: string, options: SendOptions, ports: SendPorts): Promise<Content> {
  if (options.handover || options.withDiffstat)
    return (await import('../handover.ts')).handoverContent(from, to, options, ports)
  const body = await readBody(options, ports, `agent-chat send @${to} "what you want to say"`)
  return { body, extra: await attached(options, ports) }
}

/** The archive, with the parser of messages, is loaded only here. */
async function findAnswered(part: string, name: string, ports: SendPorts): Promise<Message> {
  const { findMessage } = await import('../findMessage.ts')
  return findMessage(part, name, ports)
}

type Waited = { stage?: StageName; error?: CodedError }

/** Waits; a message that did not come so far in time is sent all the same, so its id is still printed. */
async function wait(message: Message, stage: StageName, seconds: number, ports: SendPorts): Promise<Waited> {
  const { waitForStage } = await import('./wait.ts')
  try {
    return { stage: await waitForStage(message, stage, seconds * 1000, ports.bus()) }
  } catch (error) {
    if (isCoded(error, 'TIMED_OUT')) return { error }
    throw error
  }
}

function stageJson(waited: Waited | undefined): { stage?: StageName } {
  return waited?.stage === undefined ? {} : { stage: waited.stage }
}

function kindOf(options: SendOptions): string | undefined {
  const kind = options.question ? 'question' : options.kind
  if (options.question && options.kind !== undefined && options.kind !== 'question')
    throw disagree('--question', `--kind ${options.kind}`)
  const handover = options.handover ? '--handover' : options.withDiffstat ? '--with-diffstat' : undefined
  if (handover === undefined) return kind
  if (kind !== undefined && kind !== 'handover')
    throw disagree(handover, options.question ? '--question' : `--kind ${kind}`)
  return 'handover'
}

function disagree(one: string, other: string): CodedError {
  return new CodedError('USAGE', `${one} and ${other} disagree`, { hint: 'leave one of them out' })
}
