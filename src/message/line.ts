import { CodedError } from '../errors.ts'
import { isBlank } from './visible.ts'

/** One line of 1 to 200 characters that says what a message is about. Throws `USAGE`. */
export function parseSubject(text: string): string {
  return parseLine(text, 'a subject', 'put the rest into the message')
}

/**
 * One line of 1 to 200 characters, without blanks around it. `what` it is, and the hint for more.
 * Throws `USAGE`.
 */
export function parseLine(text: string, what: string, hint: string): string {
  const line = text.trim()
  const code = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]/.exec(line)?.[0].charCodeAt(0)
  if (code !== undefined) {
    const sign = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    const wrong = `${what} is one line of text, without control characters (${sign})`
    throw new CodedError('USAGE', wrong, { hint: 'write it without that character' })
  }
  if (!isBlank(line) && line.length <= 200 && !/[\n\r\u2028\u2029]/.test(line)) return line
  throw new CodedError('USAGE', `${what} is one line of 1 to 200 characters`, { hint })
}
