import { nextEscalation } from '../bus/index/escalations.ts'
import { parseBody } from '../bus/mail/draft.ts'
import { CodedError } from '../errors.ts'
import { escalationBody, escalationFields } from '../message/escalation.ts'
import { parseLine, parseSubject } from '../message/line.ts'
import type { FieldValue } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import type { Priority } from '../message/priority.ts'
import type { Lineage } from '../trust/sendGate/lineage.ts'
import { whoAmI } from './identity.ts'
import { type Posted, type PostPorts, post } from './post.ts'

/** `options`: the choices, one line each. `recommend`: what the sender would do, and why. */
export type EscalateRequest = {
  question: string
  options: string[]
  context?: string | undefined
  recommend?: string | undefined
  from?: string | undefined
  priority?: Priority | undefined
}

/** A decision that the program itself puts to the human, for a session: of no turn of its sender's. */
export type OwnEscalation = Omit<EscalateRequest, 'from'> & {
  lineage?: Lineage
  extra?: Record<string, FieldValue>
}

/** What a session sent to the human, and the number under which they answer it. */
export type Escalated = Posted & { number: number }

/** A person at the keyboard who tries it is told who else does what. */
const IDENTITY_HINT =
  'agents ask you with this; to ask a session: agent-chat ask @name "…"; to try it as a session, add --as <name>'

/** A header holds so much of them, and a person reads no more. */
const MAX_OPTIONS = 20

/** Sends the human a numbered question. Throws as `send()`, and `USAGE` where they escalate. */
export async function escalate(request: EscalateRequest, ports: PostPorts): Promise<Escalated> {
  const from = whoAmI(ports, request.from, IDENTITY_HINT).name
  if (from === HUMAN) {
    throw new CodedError('USAGE', 'you are the human: there is nobody above you to decide', {
      hint: 'ask a session: agent-chat ask @name "…"',
    })
  }
  return escalateAs(from, request, ports)
}

/** As `escalate`, for a session whose name is known. */
export async function escalateAs(
  from: string,
  request: OwnEscalation,
  ports: PostPorts,
): Promise<Escalated> {
  const { context, recommend, priority, lineage } = request
  const question = request.question.trim()
  if (question === '') throw emptyQuestion()
  const options = parseOptions(request.options)
  const body = parseBody(Buffer.from(escalationBody({ question, options, context, recommend })))
  const { number, drop } = nextEscalation(ports.bus().home)
  const subject = subjectOf(question, number)
  const extra = { ...escalationFields(number, options), ...request.extra }
  try {
    const posted = await post(
      { from, to: HUMAN, kind: 'question', subject, body, extra, priority, lineage },
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
  return parseSubject(
    `decision ${number}: ${line.length > 80 ? `${line.slice(0, 79).join('')}…` : line.join('')}`,
  )
}

function parseOptions(texts: string[]): string[] {
  if (texts.length > MAX_OPTIONS) {
    throw new CodedError(
      'USAGE',
      `a decision has at most ${MAX_OPTIONS} options, not ${texts.length}`,
      { hint: 'keep the likely ones, and put the others in --context' },
    )
  }
  const options = texts.map((text) => parseLine(text, 'an option', 'put the rest in --context'))
  const twice = options.find((text, at) => options.indexOf(text) < at)
  if (twice === undefined) return options
  throw new CodedError('USAGE', `two options are the same: ${twice}`, {
    hint: 'leave one out, or say how they differ',
  })
}

function emptyQuestion(): CodedError {
  return new CodedError('BODY_EMPTY', 'the question is missing', {
    hint: 'agent-chat escalate "Drop the column now?"',
  })
}
