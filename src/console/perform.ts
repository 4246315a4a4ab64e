import { requireHome } from '../bus/home.ts'
import { homeError } from '../bus/homeError.ts'
import { escalationId } from '../bus/index/escalations.ts'
import { failureOf } from '../chat/failure.ts'
import type { NoticeEntry } from '../chat/live/entry.ts'
import type { Posted } from '../chat/post.ts'
import { reply } from '../chat/reply.ts'
import { type How, knownName, say } from '../chat/say.ts'
import { CodedError } from '../errors.ts'
import { hostOf } from '../message/address.ts'
import type { Message } from '../message/message.ts'
import { HUMAN, NAME_PATTERN } from '../message/name.ts'
import { answersAsWorker } from '../session/workers.ts'
import { typedHere } from './model/commands.ts'
import type { Intent } from './model/input.ts'
import type { Ports } from './ports.ts'

/** What came of an intent: what to say, the exit code as of a command, and what to remember. */
type Done = {
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

/** Does what a line asks for, as @human. `addressee`: whom a text without a name is for. */
export async function perform(
  intent: Intent,
  addressee: string | undefined,
  ports: Ports,
): Promise<Done> {
  const said: string[] = []
  try {
    requireHome(ports.bus().home, 'put it back, or leave with /quit')
    const done = await act(intent, addressee, heard(ports, said))
    return {
      ...done,
      notices: [...said.map((text) => ({ tone: 'event' as const, text })), ...done.notices],
    }
  } catch (error) {
    const { message, hint, exit } = failureOf(homeError(ports.bus().home, error))
    return { notices: [{ tone: 'error', text: `${message}\n${typedHere(hint)}` }], exit }
  }
}

async function act(intent: Intent, addressee: string | undefined, ports: Ports): Promise<Done> {
  switch (intent.do) {
    case 'send':
    case 'task':
    case 'ask':
      return tell(intent.do, intent.to ?? addressee ?? defaultAgent(ports), intent.text, ports)
    case 'reply':
      return sentBy(await reply({ id: intent.id, from: HUMAN }, intent.text, ports))
    case 'address':
      return { ...NOTHING, addressee: await knownName(intent.to, ports) }
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

/** Who gets a text without a name, as long as the human has turned to nobody. */
function defaultAgent({ env }: Ports): string | undefined {
  return env.AGENT_CHAT_DEFAULT_AGENT || undefined
}

async function tell(said: How, to: string | undefined, text: string, ports: Ports): Promise<Done> {
  if (to === undefined) {
    throw new CodedError('USAGE', 'no recipient: type @name first', {
      hint: '/who lists the sessions',
    })
  }
  const { how, toWorker, posted } = await say({ how: said, to, text }, ports)
  const addressee = posted.message.to
  const done = { ...sentBy(posted), addressee, ...(how === 'ask' ? { asked: true as const } : {}) }
  const away = hostOf(addressee) !== undefined
  if (!toWorker && !away) return done
  const sent = {
    tone: 'event' as const,
    text: `→ ${away ? 'queued for' : 'sent to'} @${addressee} (${how})`,
  }
  return { ...done, notices: [...done.notices, sent] }
}

function sentBy({ message, warning }: Posted): Done {
  return {
    sent: message,
    exit: 0,
    notices: warning === undefined ? [] : [{ tone: 'error', text: warning }],
  }
}

function decisionId(number: number, ports: Ports): string {
  const id = escalationId(ports.bus().home, number)
  if (id !== undefined) return id
  throw new CodedError('MESSAGE_UNKNOWN', `there is no decision ${number}`, {
    hint: 'to send a text that begins with a number sign: @name #…',
  })
}

/** `/stop` ends whoever it names: a worker finishes its turn. */
function endsWorker([word, name = '']: string[], { bus }: Ports): boolean {
  const bare = name.replace(/^@/, '')
  return word === 'stop' && NAME_PATTERN.test(bare) && answersAsWorker(bus(), bare)
}

/** Runs a command as the command line does. */
async function run(given: string[], ports: Ports): Promise<Done> {
  const argv = endsWorker(given, ports) ? ['down', ...given.slice(1)] : given
  if (argv.includes('--follow')) {
    throw new CodedError('USAGE', 'the console already follows new messages', {
      hint: 'type /history without --follow',
    })
  }
  const { exit, printed, said } = await ports.commands.run(argv, ports.typed)
  const text = shortened(printed)
  return {
    exit,
    notices: [
      ...(text === '' ? [] : [{ tone: 'answer' as const, text }]),
      ...said.map((line) => ({
        tone: exit === 0 ? ('event' as const) : ('error' as const),
        text: typedHere(withoutName(line)),
      })),
    ],
  }
}

function shortened(text: string): string {
  const lines = text.replace(/^\n+|\n+$/g, '').split('\n')
  const more = lines.length - MAX_ANSWER_LINES
  return more <= 0
    ? lines.join('\n')
    : [...lines.slice(0, MAX_ANSWER_LINES), `… ${more} more lines`].join('\n')
}

/** The room shows what an action tells besides. */
function heard(ports: Ports, said: string[]): Ports {
  return {
    ...ports,
    notice: (text) => said.push(text),
  }
}

function withoutName(text: string): string {
  return text.trimEnd().replaceAll(/^(agent-chat: | {2}hint: )/gm, '')
}
