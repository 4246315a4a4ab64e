import type { Command } from 'commander'
import { nextEscalation } from '../../bus/escalations.ts'
import { parseBody } from '../../bus/send.ts'
import { CodedError } from '../../errors.ts'
import { escalationBody, escalationFields } from '../../message/escalation.ts'
import { HUMAN } from '../../message/name.ts'
import { parseLine, parseSubject } from '../body.ts'
import { addCommand } from '../command.ts'
import { whoAmI } from '../identity.ts'
import type { Ports } from '../ports.ts'
import { type Posted, type PostPorts, post } from '../post.ts'
import { type PriorityFlags, priorityFrom, QUIET, URGENT } from '../priority.ts'
import { printSent } from '../sent.ts'

export type EscalateOptions = PriorityFlags & {
  words: string[]
  option: string[]
  context?: string
  recommend?: string
  from?: string
}

type Flags = Omit<EscalateOptions, 'words' | 'option'> & { option?: string[]; json?: boolean }

/** A person at the keyboard who tries it is told who else does what. */
const IDENTITY_HINT =
  'an agent asks you this in its session; to ask a session: agent-chat ask @name "…"; to try it as one: add --from <name>'

/** A header holds so much of them, and a person reads no more. */
const MAX_OPTIONS = 20

/** What a session sent to the human, and the number under which they answer it. */
export type Escalated = Posted & { number: number }

export function escalateCommand(program: Command, ports: Ports, run = runEscalate): void {
  addCommand(
    program,
    'escalate',
    'ask the human for a decision; the answer comes back as a message',
    'agent-chat escalate "Drop the column now?" --option "drop it" --option "keep it for a release" \\\n  --context "two clients still read it" --recommend "keep it"',
  )
    .argument('<question...>', 'what is to be decided')
    .option('--option <text>', 'a choice; once for each', (text: string, all?: string[]) => [...(all ?? []), text])
    .option('--context <text>', 'what one has to know to decide')
    .option('--recommend <text>', 'what you would do, and why')
    .option(...URGENT)
    .option(...QUIET)
    .option('--from <name>', 'the sender, where nothing else tells')
    .action(async (words: string[], flags: Flags) => {
      const { json, option = [], ...options } = flags
      const escalated = await run({ ...options, option, words }, ports)
      printSent(escalated, json === true, ports)
      if (!json)
        ports.say(
          `agent-chat: decision ${escalated.number}: the answer comes as a message; go on with what does not need it`,
        )
    })
}

/** Sends the human a question with a number and numbered options. Throws as `send`, and `USAGE` for a human who escalates. */
export async function runEscalate(options: EscalateOptions, ports: PostPorts): Promise<Escalated> {
  const priority = priorityFrom(options)
  const from = whoAmI(ports, options.from, IDENTITY_HINT).name
  if (from === HUMAN) {
    throw new CodedError('USAGE', 'the human has nobody to escalate to', {
      hint: 'ask a session: agent-chat ask @name "…"',
    })
  }
  const question = options.words.join(' ').trim()
  if (question === '') throw emptyQuestion()
  const choices = parseOptions(options.option)
  const { context, recommend } = options
  const body = parseBody(Buffer.from(escalationBody({ question, options: choices, context, recommend })))
  const { number, drop } = nextEscalation(ports.bus().home)
  try {
    const posted = await post(
      {
        from,
        to: HUMAN,
        kind: 'question',
        subject: subjectOf(question, number),
        body,
        extra: escalationFields(number, choices),
        priority,
      },
      ports,
    )
    return { ...posted, number }
  } catch (error) {
    drop()
    throw error
  }
}

/** The beginning of the question, on one line. */
function subjectOf(question: string, number: number): string {
  const line = [...question.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()]
  return parseSubject(`decision ${number}: ${line.length > 80 ? `${line.slice(0, 79).join('')}…` : line.join('')}`)
}

function parseOptions(texts: string[]): string[] {
  if (texts.length > MAX_OPTIONS) {
    throw new CodedError('USAGE', `a decision has at most ${MAX_OPTIONS} options, not ${texts.length}`, {
      hint: 'leave out those that you would not take, or put them into --context',
    })
  }
  return texts.map((text) => parseLine(text, 'an option', 'put the rest into --context'))
}

function emptyQuestion(): CodedError {
  return new CodedError('BODY_EMPTY', 'there is no question', { hint: 'agent-chat escalate "what is to be decided"' })
}
