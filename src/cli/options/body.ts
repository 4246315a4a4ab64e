import { parseBody } from '../../bus/mail/draft.ts'
import { CodedError, isCoded } from '../../errors.ts'
import { MAX_BODY_BYTES } from '../../message/message.ts'
import type { Ports } from '../ports.ts'

/** Where a body comes from. */
export type BodyOptions = {
  words: string[]
  message?: string | undefined
  file?: string | undefined
}

/** The options for a body, as commander takes them. */
export const MESSAGE = ['-m, --message <text>', 'the text, instead of the arguments'] as const
export const FILE = ['-f, --file <path>', 'read the text from a file; - is standard input'] as const
export const SUBJECT = ['-s, --subject <line>', 'the subject, on one line'] as const

export type BodyPorts = Pick<Ports, 'readStdin' | 'readFile' | 'isTerminal'>

/**
 * The body of a message: from the words of the command line, `--message`, `--file`, or standard
 * input. `example` is the command line that the hint shows where there is no body. Throws `USAGE`,
 * `FILE_UNREADABLE`, `BODY_EMPTY`, `BODY_TOO_LONG` or `BODY_NOT_TEXT`.
 */
export async function readBody(
  options: BodyOptions,
  ports: BodyPorts,
  example: string,
): Promise<string> {
  try {
    return parseBody(await bodyBytes(options, ports, example))
  } catch (error) {
    if (!isCoded(error, 'BODY_EMPTY')) throw error
    throw new CodedError('BODY_EMPTY', error.message, { hint: example, cause: error })
  }
}

/**
 * The bytes of a body, as `readBody` finds them, unchecked. One byte more than a body may hold
 * where it is longer.
 */
export async function bodyBytes(
  options: BodyOptions,
  ports: BodyPorts,
  example: string,
): Promise<Buffer> {
  const { file } = options
  const words = wordsOf(options)
  if (file !== undefined && file !== '-') return readBodyFile(file, ports)
  const fromStdin = file === '-' || (words.length === 1 && words[0] === '-')
  if (!fromStdin && words.length > 0) return Buffer.from(words.join(' '))
  if (!fromStdin && (await ports.isTerminal('stdin'))) {
    throw new CodedError('BODY_EMPTY', 'the message is missing', { hint: example })
  }
  return ports.readStdin(MAX_BODY_BYTES)
}

/** The words of the command line. Throws `USAGE` where the text is given twice. */
function wordsOf({ words, message, file }: BodyOptions): string[] {
  const given = [
    ...(words.length > 0 ? ['as arguments'] : []),
    ...(message === undefined ? [] : ['with --message']),
    ...(file === undefined ? [] : ['with --file']),
  ]
  if (given.length > 1) {
    throw new CodedError('USAGE', `the message was given twice: ${given.join(' and ')}`, {
      hint: 'leave one out',
    })
  }
  return message === undefined ? words : [message]
}

function readBodyFile(path: string, ports: BodyPorts): Buffer {
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
