import type { Command } from 'commander'
import type { StageName } from '../../bus/mail/fate.ts'
import { attached } from '../../chat/content.ts'
import { readerHere } from '../../chat/identity.ts'
import { type Posted, postedJson } from '../../chat/post.ts'
import { send } from '../../chat/send.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { KINDS, type Message } from '../../message/message.ts'
import { parseRecipient } from '../../message/name.ts'
import { shortId } from '../../message/shortId.ts'
import { whyWithheld } from '../../session/withheld.ts'
import type { EditedFile } from '../../system/editor.ts'
import { addCommand } from '../command.ts'
import { parseWait } from '../options/argument.ts'
import { FILE, MESSAGE, readBody, SUBJECT } from '../options/body.ts'
import {
  ATTACH,
  type AttachFlags,
  type PriorityFlags,
  priorityFrom,
  QUIET,
  URGENT,
} from '../options/message.ts'
import { toRecipient, withSpeaker } from '../options/recipient.ts'
import {
  CONVERSATION,
  conversationField,
  requireWorker,
  STREAM,
  type StreamFlags,
} from '../options/stream.ts'
import type { Ports } from '../ports.ts'
import { sentText, tellFailed } from '../render/message.ts'
import { tellPaused } from '../render/paused.ts'

type SendFlags = PriorityFlags &
  AttachFlags &
  StreamFlags & {
    message?: string
    file?: string
    kind?: string
    subject?: string
    replyTo?: string
    question?: boolean
    queue?: boolean
    from?: string
    handover?: boolean
    withDiffstat?: boolean
    json?: boolean
    wait?: StageName
    timeout?: number
  }

export function sendCommand(program: Command, ports: Ports): void {
  const command = addCommand(
    program,
    'send',
    'agent-chat send @frontend "GET /tasks is ready"\nagent-chat send @frontend --handover -s "API contract" -f handover.md\ngit diff --stat | agent-chat send @frontend -',
  )
  withSpeaker(command, ports)
    .argument('<recipient>', 'a session, as @name')
    .argument('[message...]', 'the text; - reads standard input')
    .option(...MESSAGE)
    .option(...FILE)
    .addOption(
      program
        .createOption(
          '--kind <kind>',
          'the kind of the message (default: note, or reply with --reply-to)',
        )
        .choices(KINDS),
    )
    .option(...SUBJECT)
    .option('--reply-to <id>', 'the id of the message that this one answers')
    .option('-q, --question', 'the same as --kind question')
    .option(
      '--handover',
      'send a handover and check its sections; at a terminal, write it in your editor',
    )
    .option('--with-diffstat', 'add the git changes since the last handover to that session')
    .option('--queue', 'also send to a session that has not joined yet')
    .option(...ATTACH)
    .option(...STREAM)
    .option(...CONVERSATION)
    .option(...URGENT)
    .option(...QUIET)
    .addOption(
      program
        .createOption('--wait <stage>', 'wait until the message has reached this stage')
        .choices(['arrived', 'rung', 'presented', 'read', 'answered']),
    )
    .option(
      '-t, --timeout <time>',
      'with --wait, how long at most, as 90s or 2m (default: 60s)',
      parseWait,
    )
    .action(async (recipient: string, words: string[], options: SendFlags) => {
      if (options.timeout !== undefined && options.wait === undefined)
        throw new CodedError('USAGE', '--timeout needs --wait', {
          hint: 'for example: --wait read --timeout 60',
        })
      if (options.stream) requireWorker(parseRecipient(recipient), ports)
      const posted = await sendAs(recipient, words, options, ports)
      const { message, warning } = posted
      if (warning !== undefined) ports.notice(warning)
      if (options.stream) return await streamed(posted, options, ports)
      if (!options.json) ports.print(`${await sentText(message, ports.bus())}\n`)
      tellPaused(ports)
      await tellFailed(message, ports)
      const waited =
        options.wait && (await wait(message, options.wait, options.timeout ?? 60, ports))
      const stage = waited?.stage && { stage: waited.stage }
      if (options.json) ports.print(`${JSON.stringify({ ...postedJson(posted), ...stage })}\n`)
      else if (waited?.stage) ports.print(`${waited.stage} ${shortId(message.id)}\n`)
      if (waited?.error) throw waited.error
    })
}

/**
 * Prints what the worker says until it is done. There is no limit of time: Ctrl-C ends it. Where
 * hooks do not run, it prints who speaks and the reason.
 */
async function streamed(posted: Posted, options: SendFlags, ports: Ports): Promise<void> {
  const { message } = posted
  const why = whyWithheld(readerHere(ports), ports.bus())
  const withheld = why && { withheld: why }
  if (options.json) ports.print(`${JSON.stringify({ ...postedJson(posted), ...withheld })}\n`)
  else ports.notice(`sent ${shortId(message.id)} to @${message.to}`)
  if (why !== undefined) {
    if (!options.json) ports.print(`@${message.to}: ${why}\n`)
    return
  }
  const { printStream } = await import('../render/stream.ts')
  const stream = printStream(options, ports)
  stream.begin(message)
  await stream.done()
  stream.end(message)
}

/** What only handovers need is loaded for them; a text that was typed is kept until it is sent. */
async function sendAs(
  recipient: string,
  words: string[],
  options: SendFlags,
  ports: Ports,
): Promise<Posted> {
  const request = {
    ...options,
    queue: options.queue === true,
    recipient,
    kind: kindOf(options),
    priority: priorityFrom(options),
  }
  let typed: EditedFile | undefined
  const content = async (from: string, to: string) => {
    if (options.handover || options.withDiffstat) {
      const { handoverFrom } = await import('../options/handover.ts')
      return handoverFrom(from, to, { ...options, words }, ports, (file) => {
        typed = file
      })
    }
    const example = `agent-chat send @${to} "what you want to say"`
    const body = await readBody({ ...options, words }, ports, example)
    const extra = { ...conversationField(options), ...(await attached(options.attach, ports)) }
    return { body, extra }
  }
  try {
    const posted = await toRecipient('send', recipient, words, () => send(request, content, ports))
    typed?.drop()
    return posted
  } catch (error) {
    if (typed) ports.notice(`your text is saved in ${typed.path}`)
    throw error
  }
}

const WAITED_FOR = ['TIMED_OUT', 'NOT_ARRIVED', 'PEER_REFUSES'] as const

type Waited = { stage?: StageName; error?: CodedError }

/** A message that did not come so far in time is sent all the same: its id is printed. */
async function wait(
  message: Message,
  stage: StageName,
  seconds: number,
  ports: Ports,
): Promise<Waited> {
  const { waitForStage } = await import('../../chat/wait.ts')
  try {
    return { stage: await waitForStage(message, stage, seconds * 1000, ports.bus()) }
  } catch (error) {
    if (WAITED_FOR.some((code) => isCoded(error, code)) && isCoded(error)) return { error }
    throw error
  }
}

function kindOf(options: SendFlags): string | undefined {
  const kind = options.question ? 'question' : options.kind
  if (options.question && options.kind !== undefined && options.kind !== 'question')
    throw disagree('--question', `--kind ${options.kind}`)
  const handover = options.handover
    ? '--handover'
    : options.withDiffstat
      ? '--with-diffstat'
      : undefined
  if (handover === undefined) return kind
  if (kind !== undefined && kind !== 'handover')
    throw disagree(handover, options.question ? '--question' : `--kind ${kind}`)
  return 'handover'
}

function disagree(one: string, other: string): CodedError {
  return new CodedError('USAGE', `${one} and ${other} disagree`, { hint: 'leave one out' })
}
