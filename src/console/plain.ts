import type { Entry, MessageEntry } from '../chat/live/entry.ts'
import { HUMAN } from '../message/name.ts'
import { shortId } from '../message/shortId.ts'
import { visibleLine } from '../message/visible.ts'
import { timeText } from './model/time.ts'

/** An entry as a line of words. What a command printed keeps its lines. */
export function plainText(entry: Entry, nowMs: number): string {
  if (entry.type === 'message') return `${messageLine(entry, nowMs)}\n`
  switch (entry.tone) {
    case 'answer':
      return `${entry.text}\n`
    case 'event':
      return `${timeText(entry.at, nowMs)} ${oneLine([entry.text, entry.detail].filter(Boolean).join(': '))}\n`
    case 'error':
      return `error: ${oneLine(entry.text.replace(/\n([\s\S]+)$/, ' ($1)'))}\n`
    case 'typed':
      return ''
  }
}

function messageLine(entry: MessageEntry, nowMs: number): string {
  const { id, at, from, to, kind, subject, text, more, held, decision } = entry
  const who = (name: string) => (name === HUMAN ? 'you' : `@${name}`)
  const what = decision === undefined ? kind : `decision #${decision.number}`
  const title = subject === undefined || decision !== undefined ? '' : ` "${subject}"`
  const body = from === HUMAN || to === HUMAN || subject === undefined ? `: ${oneLine(text)}` : ''
  const rest = more > 0 ? ` … ${more} more lines: /show ${shortId(id)}` : ''
  const hold = held === undefined ? '' : ` (held: ${held})`
  const answer =
    decision === undefined || to !== HUMAN
      ? ''
      : `; answer with #${decision.number} and an option or words`
  return `${timeText(at, nowMs)} ${who(from)} to ${who(to)}, ${what}${title}${body}${rest}${hold}${answer} (${shortId(id)})`
}

function oneLine(text: string): string {
  return visibleLine(text).replaceAll(/ {2,}/g, ' ').trim()
}
