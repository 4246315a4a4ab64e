import { truncateToWidth } from '@earendil-works/pi-tui'
import { type InboxRow, inboxRows, partsOf } from '../model/inbox.ts'
import type { Room } from '../model/room.ts'
import { sinceText } from '../model/time.ts'
import type { Style } from './style.ts'
import { widthOf } from './width.ts'

/** The inbox as lines, the first of them its title; `rows`: those that the others show. */
export type InboxPane = { lines: string[]; rows: readonly InboxRow[] }

/**
 * The inbox with its cursor, which stays on its row wherever that moves. Where that row goes by
 * itself the cursor is on none: no key acts on a row that came into its place.
 */
export type Inbox = {
  draw: (room: Room, size: { width: number; height: number }) => InboxPane
  /** The row under the cursor, as it was drawn last. */
  row: () => InboxRow | undefined
  /** The row is open in the pane: it stays in the list until that is closed. */
  keep: (row: InboxRow | undefined) => void
  /** The human has dealt with this row: the cursor goes on where it goes. */
  done: (row: InboxRow) => void
  select: (key: string | undefined) => void
  move: (by: 1 | -1) => void
  edge: (by: 1 | -1) => void
  find: (word?: string) => string
}

/** From this width on a row says since when. In columns. */
const ROOM_FOR_TIME = 60

export function createInbox(style: Style, now: () => number): Inbox {
  let [rows, top, word]: [readonly InboxRow[], number, string] = [[], 0, '']
  let [cursor, lost]: [string | undefined, number | undefined] = [undefined, undefined]
  let kept: InboxRow | undefined
  let done: string | undefined
  let made: Pick<Room, 'needs' | 'unread' | 'away'> | undefined
  let found = ''

  const at = () => rows.findIndex(({ key }) => key === cursor)
  const select = (row: InboxRow | undefined) => {
    if (row) [cursor, lost, done] = [row.key, undefined, undefined]
  }
  const look = ({ needs, unread, away }: Room) => {
    const isFound = found !== word && word !== ''
    const isSame = made?.needs === needs && made.unread === unread && made.away === away
    if (isSame && found === word) return
    made = { needs, unread, away }
    found = word
    const [before, goes] = [at(), cursor]
    const next = inboxRows({ needs, unread, away }, word, now())
    if (kept && !next.some(({ key }) => key === kept?.key))
      next.splice(Math.max(0, before), 0, kept)
    rows = next
    if (isFound) select(rows[0])
    else if (before >= 0 && at() < 0) {
      // What the human has done took it away; else it went by itself.
      if (goes === done) passOn(rows[Math.min(before, rows.length - 1)], goes)
      else [cursor, lost] = [undefined, before]
    }
    orFirst()
  }
  /** A question that is answered may be an unread message for a moment: then that is dealt with, too. */
  const passOn = (row: InboxRow | undefined, from: string | undefined) => {
    select(row)
    if (from !== undefined && row?.thread?.ids.includes(from)) done = row.key
  }
  const orFirst = () => {
    if (rows.length === 0) [cursor, lost] = [undefined, undefined]
    if (cursor === undefined && lost === undefined) select(rows[0])
  }
  const draw: Inbox['draw'] = (room, { width, height }) => {
    look(room)
    const most = Math.max(0, height - 1)
    const here = at() < 0 ? (lost ?? 0) : at()
    top = Math.max(0, Math.min(top, here, rows.length - most))
    if (here >= top + most) top = here - most + 1
    const shown = rows.slice(top, top + most)
    const lines = shown.map((row) => rowLine(row, row.key === cursor, width, now(), style))
    return {
      lines: [titleLine(room, rows.length - shown.length, word, width, style), ...lines],
      rows: shown,
    }
  }
  return {
    draw,
    row: () => rows[at()],
    keep: (row) => {
      // A thread that was open has been read.
      if (row === undefined && kept?.thread && kept.key === cursor) done = kept.key
      kept = row
      made = undefined
    },
    done: ({ key }) => {
      done = key
    },
    select: (key) => select(rows.find((row) => row.key === key)),
    move: (by) => {
      const from = at() >= 0 ? at() : by > 0 ? (lost ?? 0) - 1 : (lost ?? rows.length)
      select(rows[Math.max(0, Math.min(from + by, rows.length - 1))])
    },
    edge: (by) => select(by < 0 ? rows[0] : rows.at(-1)),
    find: (next = word) => (word = next),
  }
}

/** How much there is: all that needs the human, whatever the filter shows. */
function titleLine(
  { needs, unread }: Room,
  hidden: number,
  word: string,
  width: number,
  style: Style,
) {
  const parts = [
    ...(needs.length > 0 ? [style.tone('warn', needsText(needs.length))] : ['nothing needs you']),
    `${unread.length} unread`,
    ...(word === '' ? [] : [`only ${word}`]),
    ...(hidden > 0 ? [`${hidden} more: j k`] : []),
  ]
  return ruled(parts.join(style.tone('dim', ' · ')), width, style)
}

/** `▶ 3 need you`. */
export function needsText(count: number): string {
  return `▶ ${count} ${count === 1 ? 'needs' : 'need'} you`
}

/** A rule with a title. */
export function ruled(title: string, width: number, style: Style): string {
  const start = truncateToWidth(`${style.tone('dim', '──')} ${title} `, width, '…')
  return start + style.tone('dim', '─'.repeat(Math.max(0, width - widthOf(start))))
}

function rowLine(row: InboxRow, here: boolean, width: number, now: number, style: Style): string {
  const [mark, who, why, what] = partsOf(row, now)
  const { at = '' } = row.need ?? row.thread ?? {}
  const since = width < ROOM_FOR_TIME ? '' : sinceText(at, now).padStart(5)
  const names = who === '' ? '' : who.replaceAll(/@(\S+)/g, (_, name) => style.name(name))
  const tone = row.need && !row.faint ? 'warn' : 'dim'
  const head = `${style.tone(tone, mark)} ${names}${names ? ' ' : ''}${style.tone(tone, why)}`
  const room = width - 1 - since.length
  const text = truncateToWidth(`${head}  ${what}`, Math.max(1, room), '…', true)
  const cursor = here ? style.tone('mark', '▌') : ' '
  return truncateToWidth(`${cursor}${text}${style.tone('dim', since)}`, width, '')
}
