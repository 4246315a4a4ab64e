import { CodedError } from '../errors.ts'
import type { FieldValue, Message } from './message.ts'

/**
 * A decision that a session asks of the human. `number` is how the human names it; options count
 * from 1.
 */
export type Escalation = {
  number: number
  options: string[]
  /**
   * The answer that `body` gives: a number alone stands for its option. Throws `USAGE` for a number
   * without one.
   */
  choose(body: string): { body: string; choice: string } | undefined
}

/**
 * So many options of so many characters fit into the header of a message, which its readers limit,
 * however they are quoted.
 */
const MAX_OPTIONS = 50
const MAX_OPTION_LENGTH = 200

/**
 * The header fields of a decision. Throws `USAGE` for more options than somebody can choose from,
 * or longer ones.
 */
export function escalationFields(number: number, options: string[]): Record<string, FieldValue> {
  const long = options.some((option) => option.length > MAX_OPTION_LENGTH)
  if (long || options.length > MAX_OPTIONS) {
    const what = long
      ? `an option has ${MAX_OPTION_LENGTH} characters`
      : `a decision has ${MAX_OPTIONS} options`
    throw new CodedError('USAGE', `${what} at the most`, {
      hint: 'put the background in --context',
    })
  }
  return { escalation: String(number), ...(options.length === 0 ? {} : { options }) }
}

/** The decision that a message asks for, or undefined. */
export function escalationOf(message: Pick<Message, 'extra'>): Escalation | undefined {
  const { escalation, options: field } = message.extra
  if (typeof escalation !== 'string' || !/^\d{1,9}$/.test(escalation)) return undefined
  const options = Array.isArray(field) ? field.filter((option) => typeof option === 'string') : []
  return { number: Number(escalation), options, choose: (body) => choice(body, options) }
}

/**
 * The text of a decision: the question, what is to be known, the options by number, and what the
 * session would do.
 */
export function escalationBody(request: {
  question: string
  options: string[]
  context?: string | undefined
  recommend?: string | undefined
}): string {
  const { question, options, context, recommend } = request
  return [
    question,
    ...(context === undefined ? [] : [`**Context:** ${context}`]),
    ...(options.length === 0
      ? []
      : [options.map((option, at) => `${at + 1}. ${option}`).join('\n')]),
    ...(recommend === undefined ? [] : [`**Recommended:** ${recommend}`]),
  ].join('\n\n')
}

/** The options of a decision on one line, for a hint. */
export function optionsText(options: string[]): string {
  return `the options are: ${options.map((text, at) => `${at + 1}. ${text}`).join('; ')}`
}

function choice(body: string, options: string[]): { body: string; choice: string } | undefined {
  const number = /^\s*#?(\d{1,3})\.?\s*$/.exec(body)?.[1]
  if (number === undefined || options.length === 0) return undefined
  const option = options[Number(number) - 1]
  if (option !== undefined)
    return { body: `${Number(number)}. ${option}`, choice: String(Number(number)) }
  throw new CodedError('USAGE', `no option ${number}: this decision has ${options.length}`, {
    hint: optionsText(options),
  })
}
