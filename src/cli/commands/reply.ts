import type { Command } from 'commander'
import { attached } from '../../chat/content.ts'
import { reply } from '../../chat/reply.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { type Escalation, optionsText } from '../../message/escalation.ts'
import type { Message } from '../../message/message.ts'
import { isShortId, shortId } from '../../message/shortId.ts'
import { addCommand } from '../command.ts'
import { FILE, MESSAGE, readBody } from '../options/body.ts'
import {
  ATTACH,
  type AttachFlags,
  type PriorityFlags,
  priorityFrom,
  QUIET,
  URGENT,
} from '../options/message.ts'
import { withSpeaker } from '../options/recipient.ts'
import type { Ports } from '../ports.ts'
import { printSent } from '../render/message.ts'

type Flags = PriorityFlags &
  AttachFlags & {
    message?: string
    file?: string
    question?: boolean
    from?: string
    json?: boolean
  }

export function replyCommand(program: Command, ports: Ports): void {
  const command = addCommand(
    program,
    'reply',
    'agent-chat reply k7f3m "It is a string, because of the rounding"\nagent-chat reply 3 2        # you, on decision 3: the second option',
  )
  withSpeaker(command, ports)
    .argument('<id>', 'the id of a message; for you, also the number of a decision')
    .argument(
      '[message...]',
      'the text; - reads standard input; for a decision, the number of an option is enough',
    )
    .option(...MESSAGE)
    .option(...FILE)
    .option(...ATTACH)
    .option('-q, --question', 'send a question back')
    .option(...URGENT)
    .option(...QUIET)
    .action(async (id: string, words: string[], options: Flags) => {
      const content = async (answered: Message, decision: Escalation | undefined) => ({
        body: await readBody({ ...options, words }, ports, exampleOf(answered, decision)),
        extra: await attached(options.attach, ports),
      })
      const priority = priorityFrom(options)
      const posted = await reply({ ...options, id, priority }, content, ports).catch((error) => {
        throw (isCoded(error, 'MESSAGE_UNKNOWN') && swapped(id, words)) || error
      })
      await printSent(posted, options.json === true, ports)
    })
}

/** What is told where the text comes first, and an id last. */
function swapped(first: string, words: string[]): CodedError | undefined {
  const id = words.at(-1) ?? ''
  if (isShortId(first) || !isShortId(id)) return undefined
  const text = JSON.stringify([first, ...words.slice(0, -1)].join(' '))
  return new CodedError('USAGE', 'the id comes first', { hint: `agent-chat reply ${id} ${text}` })
}

function exampleOf(answered: Message, decision: Escalation | undefined): string {
  if (decision === undefined)
    return `agent-chat reply ${shortId(answered.id)} "what you want to say"`
  const inWords = `agent-chat reply ${decision.number} "your decision"`
  return decision.options.length === 0
    ? inWords
    : `agent-chat reply ${decision.number} <number>, or: ${inWords}; ${optionsText(decision.options)}`
}
