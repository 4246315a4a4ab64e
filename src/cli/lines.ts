import { CodedError } from '../errors.ts'
import type { Message } from '../message/message.ts'
import { invalidArgument } from './argument.ts'
import { plural } from './render/text.ts'

/** Lines of a text, counted from 1; `to` is the last one, and without it they go on to the end. */
export type Lines = { from: number; to?: number }

/** A range of lines: `41-80`, `41-` to the end, `-40` from the beginning, `41` alone. */
export function parseLines(text: string): Lines {
  const [, first = '', dash = '', last = ''] = /^(\d{0,7})(-?)(\d{0,7})$/.exec(text) ?? []
  const from = first === '' ? 1 : Number(first)
  const to = dash === '' ? from : last === '' ? undefined : Number(last)
  if (first + last !== '' && from >= 1 && (to === undefined || to >= from))
    return { from, ...(to === undefined ? {} : { to }) }
  throw invalidArgument('It must be lines from 1, for example 41-80, 41- or -40.')
}

/** These lines of a body, and which of how many they are. Throws `USAGE` where the body ends before them. */
export function linesOf(
  { id, body }: Pick<Message, 'id' | 'body'>,
  { from, to = Number.POSITIVE_INFINITY }: Lines,
): { body: string; from: number; to: number; of: number } {
  const lines = body.split('\n')
  const of = lines.length
  if (from > of) {
    throw new CodedError('USAGE', `the message has ${plural(of, 'line')}, and not ${from}`, {
      hint: `see the last ones with: agent-chat show ${id} --lines ${Math.max(1, of - 39)}-`,
    })
  }
  return { body: lines.slice(from - 1, to).join('\n'), from, to: Math.min(to, of), of }
}
