import { type Away, type AwayLine, awayText } from '../../feed/awayText.ts'
import { type Need, needRow, REASONS } from '../../feed/need.ts'
import { type UnreadThread, unreadThreads } from '../../feed/threads.ts'
import { shortId } from '../../message/shortId.ts'
import { typedHere } from './commands.ts'
import type { Room } from './room.ts'
import { timeText } from './time.ts'

/**
 * A row of the inbox, `key` telling it from the others: what happened while the human was away, what
 * needs them, or an unread thread. `faint`: the filter does not find it, and it needs them all the
 * same. Without a `line` it is the head of the others.
 */
export type InboxRow = { key: string; faint?: true } & (
  | { need: Need; thread?: never; away?: never }
  | { thread: UnreadThread; need?: never; away?: never }
  | { away: Away; line?: AwayLine; need?: never; thread?: never }
)

type Inbox = Pick<Room, 'needs' | 'unread' | 'away'>

/**
 * What happened while the human was away, what needs them, then what they have not read. A filter
 * `find` leaves out the others; no filter hides what needs them, and what it finds comes first.
 */
export function inboxRows({ needs, unread, away }: Inbox, find = '', now = 0): InboxRow[] {
  const rows: InboxRow[] = [
    ...awayRows(away),
    ...needs.map((need) => ({ key: need.key, need })),
    ...unreadThreads(unread, needs).map((thread) => ({
      key: `${thread.folded ? 'folded' : 'thread'} ${thread.root}`,
      thread,
    })),
  ]
  const word = find.toLowerCase()
  const isFound = (row: InboxRow) => partsOf(row, now).join(' ').toLowerCase().includes(word)
  const others = rows.filter((row) => row.need && !isFound(row))
  return [...rows.filter(isFound), ...others.map((row) => ({ ...row, faint: true as const }))]
}

function awayRows(away: Away | undefined): InboxRow[] {
  if (away === undefined) return []
  const lines = away.lines.map((line) => {
    const key = `away ${line.kind} ${line.names.join(' ')}`
    return { key, away, line }
  })
  return [{ key: 'away', away }, ...lines]
}

/** What a row says: its mark, whom it is about, why it is there, and what it says of it. */
export function partsOf(
  row: InboxRow,
  now: number,
): [mark: string, who: string, why: string, what: string] {
  if (row.away) {
    const { from, to } = row.away
    if (row.line) return [' ', '', '', awayText(row.line)]
    return ['·', '', 'While you were away', `(${timeText(from, now)} to ${timeText(to, now)})`]
  }
  if (row.thread) {
    const { from, kind, title, ids } = row.thread
    const count = ids.length > 1 ? ` (${ids.length})` : ''
    return ['•', from.map((name) => `@${name}`).join(' '), `${kind}${count}`, title]
  }
  const { need } = row
  const { session, reason, what } = needRow(need)
  const who = session === null ? '' : `@${session}`
  if (!('options' in need)) return ['▶', who, REASONS[reason], what]
  const why = need.number === undefined ? '?' : `#${need.number}`
  const options = need.options.map((option, at) => `${at + 1} ${option}`).join(' · ')
  return ['▶', who, why, [need.title, options].filter(Boolean).join('  ')]
}

/** The session whose terminal a row leads to. */
export function sessionOf(row: InboxRow): string | undefined {
  const { need, thread } = row
  if (thread) return thread.from[0]
  if (row.away) return row.line?.names[0]
  if (need === undefined) return undefined
  return 'options' in need ? need.from : 'name' in need ? need.name : need.to[0]
}

/** The line to write that answers a row, as far as it is known; undefined where no line does. */
export function answerLine(row: InboxRow): string | undefined {
  const { need, thread } = row
  if (thread) return thread.folded ? undefined : `/reply ${shortId(thread.ids.at(-1) ?? '')} `
  if (need === undefined) return undefined
  if ('options' in need && need.number !== undefined) return `#${need.number} `
  const line = typedHere(needRow(need).answer).replace(/(<number>|"…")$/, '')
  return line.startsWith('/') ? line : undefined
}

/** The line that answers a row with the option of a digit, and what it asks before. */
export function optionOf(row: InboxRow, digit: number) {
  if (!row.need || !('options' in row.need)) return undefined
  const { number, options, from } = row.need
  const text = options[digit - 1]
  if (text === undefined || number === undefined) return undefined
  return { line: `#${number} ${digit}`, asks: `answer #${number} to @${from}: ${digit}. ${text}` }
}
