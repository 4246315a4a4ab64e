import { existsSync } from 'node:fs'
import { escalationId } from '../bus/escalations.ts'
import { homeError } from '../bus/home.ts'
import { readSessions } from '../bus/registry.ts'
import { requireAnswerer } from '../cli/askEnd.ts'
import { runReply } from '../cli/commands/reply.ts'
import { runSend } from '../cli/commands/send.ts'
import { runTask } from '../cli/commands/task.ts'
import { failureOf } from '../cli/failure.ts'
import { main } from '../cli/main.ts'
import type { Ports } from '../cli/ports.ts'
import type { Posted } from '../cli/post.ts'
import { recipientFor } from '../cli/recipient.ts'
import { CodedError } from '../errors.ts'
import type { Message } from '../message/message.ts'
import { HUMAN, parseRecipient } from '../message/name.ts'
import type { NoticeEntry } from './model/entry.ts'
import type { Intent } from './model/input.ts'

/** What came of an intent: what there is to say, the exit code that a command would have had, and what the room has to remember. */
export type Done = {
  notices: Pick<NoticeEntry, 'tone' | 'text'>[]
  exit: number
  /** Whom the human has turned to. */
  addressee?: string
  /** The message that was sent, and whether the human waits for an answer to it. */
  sent?: Message
  asked?: true
}

/** What a command prints is cut here; in a terminal of its own it prints all. */
const MAX_ANSWER_LINES = 500

/** Does what a line of input asks for, as @human, with the runs that the commands have. `addressee`: for whom a text without a name is. Never throws. */
export async function perform(intent: Intent, addressee: string | undefined, ports: Ports): Promise<Done> {
  const said: string[] = []
  try {
    requireHome(ports)
    const done = await act(intent, addressee, heard(ports, said))
    return { ...done, notices: [...said.map((text) => ({ tone: 'event' as const, text })), ...done.notices] }
  } catch (error) {
    const { message, hint, exit } = failureOf(inHome(error, ports))
    return { notices: [{ tone: 'error', text: `${message}\n${hint}` }], exit }
  }
}

async function act(intent: Intent, addressee: string | undefined, ports: Ports): Promise<Done> {
  switch (intent.do) {
    case 'send':
    case 'task':
    case 'ask':
      return tell(intent.do, intent.to ?? addressee, intent.text, ports)
    case 'reply':
      return sentBy(await runReply({ id: intent.id, words: [intent.text], from: HUMAN }, ports))
    case 'address':
      return { ...NOTHING, addressee: known(intent.to, ports) }
    case 'decision':
      return run(['show', decisionId(intent.number, ports)], ports)
    case 'run':
      return run(intent.argv, ports)
    case 'wrong':
      throw new CodedError('USAGE', intent.why, { hint: intent.hint })
    default:
      return NOTHING
  }
}

const NOTHING: Done = { notices: [], exit: 0 }

async function tell(how: 'send' | 'task' | 'ask', to: string | undefined, text: string, ports: Ports): Promise<Done> {
  if (to === undefined) {
    throw new CodedError('USAGE', 'to whom? Begin with @name', { hint: '/who shows who is there' })
  }
  const request = { recipient: to, words: [text], from: HUMAN }
  const addressee = parseRecipient(to)
  if (how === 'send') return { ...sentBy(await runSend(request, ports)), addressee }
  if (how === 'task') return { ...sentBy(await runTask(request, ports)), addressee }
  await requireAnswerer(known(to, ports), ports)
  return { ...sentBy(await runSend({ ...request, question: true }, ports)), addressee, asked: true }
}

function sentBy({ message, warning }: Posted): Done {
  return { sent: message, exit: 0, notices: warning === undefined ? [] : [{ tone: 'error', text: warning }] }
}

/** The checked name of somebody who is there. Throws as the commands do. */
function known(to: string, ports: Ports): string {
  return recipientFor(parseRecipient(to), readSessions(ports.bus().home), ports)
}

function decisionId(number: number, ports: Ports): string {
  const id = escalationId(ports.bus().home, number)
  if (id !== undefined) return id
  throw new CodedError('MESSAGE_UNKNOWN', `there is no decision ${number}`, {
    hint: 'to send a text that begins with a number sign: @name #…',
  })
}

/** Runs a command as the command line does. */
async function run(argv: string[], ports: Ports): Promise<Done> {
  if (argv.includes('--follow')) {
    throw new CodedError('USAGE', 'the room follows already', { hint: 'leave out --follow' })
  }
  const printed: string[] = []
  const said: string[] = []
  const exit = await main(argv, { ...ports, print: (text) => printed.push(text), say: (text) => said.push(text) })
  const text = shortened(printed.join(''))
  return {
    exit,
    notices: [
      ...(text === '' ? [] : [{ tone: 'answer' as const, text }]),
      ...said.map((line) => ({ tone: exit === 0 ? ('event' as const) : ('error' as const), text: withoutName(line) })),
    ],
  }
}

function shortened(text: string): string {
  const lines = text.replace(/^\n+|\n+$/g, '').split('\n')
  const more = lines.length - MAX_ANSWER_LINES
  return more <= 0 ? lines.join('\n') : [...lines.slice(0, MAX_ANSWER_LINES), `… ${more} more lines`].join('\n')
}

/** What a run says is heard by the room. A body is what was typed, and never this process's own input. */
function heard(ports: Ports, said: string[]): Ports {
  return {
    ...ports,
    say: (text) => said.push(withoutName(text)),
    talk: () => {},
    print: () => {},
    setExitCode: () => {},
    isTerminal: async () => true,
    readStdin: () => Buffer.from('-'),
  }
}

function withoutName(line: string): string {
  return line.replace(/^agent-chat: /, '').replace('\n  hint: ', '\n')
}

/** A home that was removed is not to come back because somebody typed. */
function requireHome(ports: Ports): void {
  const { root } = ports.bus().home
  if (existsSync(root)) return
  throw new CodedError('HOME_UNUSABLE', `the home ${root} is gone; nothing was done`, {
    hint: 'put it back, or leave with /quit',
  })
}

function inHome(error: unknown, ports: Ports): unknown {
  return homeError(ports.bus().home, error)
}
