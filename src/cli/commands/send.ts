import type { Command } from 'commander'
import type { StageName } from '../../bus/fate.ts'
import { findSession, readSessions } from '../../bus/registry.ts'
import { parseBody } from '../../bus/send.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { KINDS, MAX_BODY_BYTES, type Message } from '../../message/message.ts'
import { HUMAN, parseRecipient } from '../../message/name.ts'
import { invalidArgument } from '../argument.ts'
import { addCommand } from '../command.ts'
import { whoAmI } from '../identity.ts'
import { nearest } from '../nearest.ts'
import type { Ports } from '../ports.ts'
import { type Posted, post } from '../post.ts'
import { messageJson } from '../render/message.ts'

export type SendOptions = {
  recipient: string
  words: string[]
  file?: string
  kind?: string
  subject?: string
  replyTo?: string
  question?: boolean
  from?: string
}

type SendFlags = Omit<SendOptions, 'recipient' | 'words'> & { json?: boolean; wait?: StageName; timeout: number }

type SendPorts = Pick<Ports, 'env' | 'bus' | 'say' | 'readStdin' | 'readFile' | 'isTerminal'>

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
    .option('--from <name>', 'the sender, where nothing else tells')
    .addOption(
      program.createOption('--wait <stage>', 'wait until it has come so far').choices(['rung', 'presented', 'read']),
    )
    .option('--timeout <seconds>', 'how long to wait', parseSeconds, 60)
    .action(async (recipient: string, words: string[], options: SendFlags) => {
      const { message, warning, silent } = await run({ ...options, recipient, words }, ports)
      if (warning !== undefined) ports.say(`agent-chat: ${warning}`)
      if (!options.json) ports.print(`sent ${message.id} to @${message.to}\n`)
      const waited = options.wait && (await wait(message, options.wait, options.timeout, ports))
      if (options.json) ports.print(`${JSON.stringify({ ...messageJson(message), ...silent, ...stageJson(waited) })}\n`)
      else if (waited?.stage) ports.print(`${waited.stage} ${message.id}\n`)
      if (waited?.error) throw waited.error
    })
}

/** Sends one message. Nothing is written before the recipient, the sender and the body have been checked. */
export async function runSend(options: SendOptions, ports: SendPorts): Promise<Posted> {
  const to = parseRecipient(options.recipient)
  const kind = kindOf(options)
  const subject = options.subject === undefined ? undefined : parseSubject(options.subject)
  const bus = ports.bus()
  const sessions = readSessions(bus.home)
  const hint = 'join first with: agent-chat join <name>, or say who you are with --from <name>'
  const from = whoAmI(ports, options.from, hint, sessions).name
  if (to !== HUMAN && !findSession(sessions, to)) throw unknownSession(to, Object.keys(sessions))
  const answered = options.replyTo === undefined ? undefined : await answeredMessage(options.replyTo, from, ports)
  const body = parseBody(await bodyBytes(options, ports))
  const subjectLine = subject === undefined ? {} : { subject }
  return post({ from, to, kind: kind ?? (answered ? 'reply' : 'handover'), body, ...subjectLine, answered }, ports)
}

/** A number of seconds, from 0, with decimals. */
export function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (/^\d{1,7}(\.\d{1,3})?$/.test(text)) return seconds
  throw invalidArgument('It must be a number of seconds.')
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

/** No session of this name is registered; suggests the one that may have been meant. */
export function unknownSession(name: string, known: string[]): CodedError {
  const near = nearest(name, known)
  const hint =
    near === undefined
      ? 'see who is there with: agent-chat who'
      : `did you mean @${near}? See who is there with: agent-chat who`
  return new CodedError('SESSION_UNKNOWN', `no session named @${name} is registered`, { hint })
}

function kindOf(options: SendOptions): string | undefined {
  if (!options.question) return options.kind
  if (options.kind === undefined || options.kind === 'question') return 'question'
  throw new CodedError('USAGE', `--question and --kind ${options.kind} disagree`, { hint: 'leave one of them out' })
}

function parseSubject(text: string): string {
  const subject = text.trim()
  if (subject !== '' && subject.length <= 200 && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(subject))
    return subject
  throw new CodedError('USAGE', 'a subject is one line of 1 to 200 characters', {
    hint: 'put the rest into the message',
  })
}

async function answeredMessage(part: string, from: string, ports: SendPorts): Promise<Message> {
  const { readArchived, resolveId } = await import('../../bus/archive.ts')
  const { home } = ports.bus()
  return readArchived(home, resolveId(home, part, from), from)
}

async function bodyBytes(options: SendOptions, ports: SendPorts): Promise<Buffer> {
  const { words, file } = options
  if (file !== undefined && words.length > 0) {
    throw new CodedError('USAGE', 'the message is given twice: as arguments and with --file', {
      hint: 'leave one of them out',
    })
  }
  if (file !== undefined && file !== '-') return readBodyFile(file, ports)
  const fromStdin = file === '-' || (words.length === 1 && words[0] === '-')
  if (!fromStdin && words.length > 0) return Buffer.from(words.join(' '))
  if (!fromStdin && (await ports.isTerminal('stdin'))) {
    throw new CodedError('BODY_EMPTY', 'there is no message to send', {
      hint: 'agent-chat send @name "what you want to say"',
    })
  }
  return ports.readStdin(MAX_BODY_BYTES)
}

function readBodyFile(path: string, ports: SendPorts): Buffer {
  try {
    return ports.readFile(path, MAX_BODY_BYTES)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new CodedError('FILE_UNREADABLE', `cannot read ${JSON.stringify(path)} (${why})`, {
      hint: 'check the path given to --file',
      cause: error,
    })
  }
}
