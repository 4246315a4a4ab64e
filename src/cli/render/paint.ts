import { visibleLine } from '../../message/visible.ts'
import type { Ports } from '../ports.ts'

const DIM = '\u001b[2m'
const ACCENT = '\u001b[1;33m'
const OFF = '\u001b[0m'

/** Where an id begins a line, and the two lines around a message. */
const IDS = /^[a-z]\d[a-z\d]{3}(?= {2})|^── (?:end )?[a-z]\d[a-z\d]{3} ──$/gm

/**
 * Colours text that is safe to show: ids are dim, and what needs its reader, by the pattern
 * `needsYou`, stands out. Without a terminal, and with `NO_COLOR`, it leaves the text as it is.
 */
export async function painter(
  ports: Pick<Ports, 'env' | 'isTerminal'>,
  needsYou?: RegExp,
): Promise<(text: string) => string> {
  if (!(await hasColour(ports))) return (text) => text
  return (text) => {
    const dim = text.replace(IDS, (id) => `${DIM}${id}${OFF}`)
    return needsYou ? dim.replace(needsYou, (found) => `${ACCENT}${found}${OFF}`) : dim
  }
}

/** Whether standard output is a terminal whose reader wants colours. */
export async function hasColour(ports: Pick<Ports, 'env' | 'isTerminal'>): Promise<boolean> {
  return !ports.env.NO_COLOR && (await ports.isTerminal('stdout'))
}

/**
 * How much of a line is shown, in characters, and how much of that stands before the first word.
 */
const SHOWN = 160
const BEFORE = 40

/**
 * One line of text, safe to show: what stands around the first of `words`, which are plain text in
 * any case; in colour with `mark`.
 */
export function excerpt(line: string, words: readonly string[], mark: boolean): string {
  const text = line.normalize('NFC').trim()
  const pattern = anyOf(words)
  // With a group in the pattern, every second part is a word that was found.
  const parts = cut(text, text.search(pattern)).split(pattern)
  return parts
    .map((part, at) =>
      mark && at % 2 === 1 ? `${ACCENT}${visibleLine(part)}${OFF}` : visibleLine(part),
    )
    .join('')
}

function anyOf(words: readonly string[]): RegExp {
  const longestFirst = [...words].sort((a, b) => b.length - a.length)
  const plain = longestFirst.map((word) =>
    word.normalize('NFC').replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
  )
  return new RegExp(`(${plain.join('|')})`, 'iu')
}

function cut(text: string, found: number): string {
  const chars = [...text]
  if (chars.length <= SHOWN) return text
  const start = Math.max(0, [...text.slice(0, Math.max(0, found))].length - BEFORE)
  const end = start + SHOWN
  return `${start > 0 ? '…' : ''}${chars.slice(start, end).join('')}${end < chars.length ? '…' : ''}`
}
