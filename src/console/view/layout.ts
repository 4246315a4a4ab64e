import { wrapTextWithAnsi } from '@earendil-works/pi-tui'
import type { Entry, MessageEntry, NoticeEntry } from '../../chat/live/entry.ts'
import { hostOf } from '../../message/address.ts'
import { HUMAN } from '../../message/name.ts'
import { shortId } from '../../message/shortId.ts'
import { RELEASE } from '../model/commands.ts'
import { timeText } from '../model/time.ts'
import type { Style } from './style.ts'
import { widthOf } from './width.ts'

/** From this width on the body is indented, and ids are shown. In columns. */
const ROOMY = 60
/** Of what agents write to each other, at most so many lines are shown. */
const GLANCE_LINES = 3

/**
 * The lines of an entry; `whole`, with all that there is of it. No sender's text is at the margin:
 * it cannot pass for a head.
 */
export function layout(
  entry: Entry,
  width: number,
  now: number,
  style: Style,
  whole = false,
): string[] {
  if (entry.type === 'message') return message(entry, width, now, style, whole)
  const lines = notice(entry, width, now, style)
  return whole ? [...lines, ...indented(entry.detail ?? '', width, style)] : lines
}

function message(
  entry: MessageEntry,
  width: number,
  now: number,
  style: Style,
  whole: boolean,
): string[] {
  const own = whole || entry.from === HUMAN || entry.to === HUMAN
  const body = indented(bodyOf(entry, own), width, style)
  // The line above the input has the options of a decision; the rest is a key away.
  const most = whole ? body.length : entry.decision ? 1 : own ? body.length : GLANCE_LINES
  const lines = body.slice(0, most)
  const cut = body.length - lines.length
  const tail = [
    ...(entry.more > 0 ? [`… ${entry.more} more lines: Enter opens them`] : []),
    ...(cut > 0 && !entry.decision ? ['… Enter opens it'] : []),
    ...(entry.held === undefined ? [] : [`held: ${entry.held}; ${releaseOf(entry)}`]),
    ...(whole ? answerHint(entry) : []),
  ]
  return [
    ...head(entry, width, now, style),
    ...lines,
    ...tail.flatMap((line) => indented(style.tone('warn', line), width, style)),
  ]
}

/** A message for another machine is held, and released, there. */
function releaseOf({ to }: MessageEntry): string {
  const host = hostOf(to)
  return host === undefined ? `${RELEASE} releases it` : `it is released on ${host}`
}

function head(entry: MessageEntry, width: number, now: number, style: Style): string[] {
  const { from, to, kind, subject, decision, stage, id, answered } = entry
  const who = (name: string) => (name === HUMAN ? style.tone('strong', 'you') : style.name(name))
  const isOpen = to === HUMAN && answered === undefined
  const asks = isOpen && (kind === 'question' || decision !== undefined)
  const what = decision === undefined ? kind : `decision #${decision.number}`
  const title = subject === undefined || decision !== undefined ? '' : `: ${subject}`
  const parts = [
    `${style.tone('dim', timeText(entry.at, now))} ${who(from)} → ${who(to)}`,
    asks ? style.tone('warn', `▶ ${what}`) : `${style.tone('dim', what)}${title}`,
    ...(from === HUMAN && stage !== undefined
      ? [style.tone('good', stage === 'read' ? '✓ read' : stage)]
      : []),
    ...(answered ? [style.tone('good', '✓ answered')] : []),
    ...(width >= ROOMY ? [style.tone('dim', shortId(id))] : []),
  ]
  return wrap(parts.join('  '), width)
}

function answerHint({ to, kind, decision, id }: MessageEntry): string[] {
  if (to !== HUMAN) return []
  if (decision !== undefined)
    return [
      `answer: #${decision.number} ${decision.options.length > 0 ? '<option>, or words' : 'words'}`,
    ]
  return kind === 'question' ? [`answer: /reply ${shortId(id)} words`] : []
}

/** A subject has said it already. */
function bodyOf(entry: MessageEntry, own: boolean): string {
  return own || entry.subject === undefined ? entry.text : ''
}

function notice(
  { at, tone, text, count = 1 }: NoticeEntry,
  width: number,
  now: number,
  style: Style,
): string[] {
  const times = count > 1 ? ` ×${count}` : ''
  switch (tone) {
    case 'typed':
      return wrap(style.tone('strong', `› ${text}`), width)
    case 'event':
      return wrap(style.tone('dim', `${timeText(at, now)} ${text}${times}`), width)
    case 'error':
      return wrap(style.tone('error', `! ${text.replace(/$/m, times)}`), width)
    case 'answer':
      return indented(text, width, style)
  }
}

function indented(text: string, width: number, style: Style): string[] {
  if (text === '') return []
  const margin = ' '.repeat(width >= ROOMY ? 6 : Math.min(2, Math.floor(width / 3)))
  return wrap(style.tone('plain', text), width - margin.length).map((line) => `${margin}${line}`)
}

/** Lines of text that fit: broken at blanks, and a word that is too long anywhere. */
export function wrap(text: string, width: number): string[] {
  return text
    .split('\n')
    .flatMap((line) =>
      widthOf(line) <= width ? [line] : wrapTextWithAnsi(line, Math.max(1, width)),
    )
}
