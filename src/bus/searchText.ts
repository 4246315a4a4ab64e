import type { Message } from '../message/message.ts'

/**
 * The line of a message that answers a search: its number in the body from 1, 0 for the subject,
 * and its text as it was sent.
 */
export type Line = { number: number; text: string }

/** The form in which texts are compared: lower case, NFC, one Greek s. Every line stays a line. */
export function fold(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase()
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
}

/**
 * The first of the lines that hold the most of `words`, which are folded; undefined unless every
 * word occurs in the subject or the body.
 */
export function matchingLine(
  { subject, body }: Pick<Message, 'subject' | 'body'>,
  words: readonly string[],
): Line | undefined {
  const text = `${subject?.replaceAll('\n', ' ') ?? ''}\n${body}`
  const folded = fold(text)
  if (!words.every((word) => folded.includes(word))) return undefined
  const number =
    bestLine(folded.split('\n'), words) ?? lineAt(folded, folded.indexOf(words[0] ?? ''))
  return { number, text: text.split('\n')[number] ?? '' }
}

function bestLine(lines: string[], words: readonly string[]): number | undefined {
  let best: number | undefined
  let most = 0
  for (const [number, line] of lines.entries()) {
    const count = words.filter((word) => line.includes(word)).length
    if (count > most) [best, most] = [number, count]
  }
  return best
}

/** A phrase of several lines stands in none of them: it begins in this one. */
function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length - 1
}
