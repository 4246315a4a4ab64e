import { matchesKey } from '@earendil-works/pi-tui'
import { failureOf } from '../../chat/failure.ts'
import type { Entry } from '../../chat/live/entry.ts'
import { awayText } from '../../feed/awayText.ts'
import { needRow } from '../../feed/need.ts'
import { answerLine, type InboxRow, optionOf, partsOf, sessionOf } from '../model/inbox.ts'
import { closePane, interrupt, openHelp, openTerminal, openThread, toLine, turn } from './acts.ts'
import type { Desk } from './desk.ts'
import { letterOf, listKey, type Mouse, roomKey } from './keys.ts'
import { wrap } from './layout.ts'

/** A key while the cursor is in the inbox. `row` is the one that stood under it then. */
export function inboxKey(desk: Desk, data: string, row: InboxRow | undefined) {
  const { inbox, side, ports } = desk
  const [pressed, key, letter] = [roomKey(data), listKey(data), letterOf(data)]
  if (pressed === 'interrupt') return interrupt(desk)
  desk.says = ''
  if (pressed === 'up' || pressed === 'down') return turnPage(desk, pressed === 'up' ? -1 : 1)
  if (pressed === 'end') return ports.leave()
  if (pressed === 'tab') return toMessages(desk)
  if (/^[@#]$/.test(letter)) return toLine(desk, letter)
  if (/^[1-9]$/.test(letter)) return askToAnswer(desk, row, Number(letter))
  if (moved(desk, key)) return side.page()?.follows ? openRow(desk, inbox.row()) : undefined
  if (key === 'back' || (key === 'quit' && side.page())) back(desk)
  else if (key === 'quit') leave(desk)
  else if (key === 'help') openHelp(desk)
  else if (key === 'write') toLine(desk)
  else if (key === 'filter') find(desk)
  else if (row === undefined) noRow(desk, key)
  else if (key === 'open') openRow(desk, row)
  else if (key === 'read') markRead(desk, row)
  else if (key === 'terminal') toTerminal(desk, row)
  else if (key === 'reply') writeAnswer(desk, row)
}

function moved({ inbox }: Desk, key: string | undefined): boolean {
  if (key === 'next' || key === 'previous') inbox.move(key === 'next' ? 1 : -1)
  else if (key === 'first' || key === 'last') inbox.edge(key === 'first' ? -1 : 1)
  else return false
  return true
}

/** A key while a filter is written. */
export function findKey(desk: Desk, data: string): void {
  const { inbox } = desk
  const [word, letter] = [inbox.find(), letterOf(data)]
  const isDropped = matchesKey(data, 'escape') || roomKey(data) === 'interrupt'
  const ends = isDropped || matchesKey(data, 'enter')
  if (isDropped) inbox.find('')
  else if (matchesKey(data, 'backspace')) inbox.find(word.slice(0, -1))
  else if (!ends && /^[^\u0000-\u001f\u007f]$/u.test(letter)) inbox.find(word + letter)
  desk.mode = ends ? 'inbox' : 'find'
  desk.says = ends ? '' : `/${inbox.find()} · Enter keeps the filter, Esc ends it`
}

/** A click selects, a second one opens; the wheel moves the cursor. */
export function inboxMouse(
  desk: Desk,
  { what }: Mouse,
  row: InboxRow | undefined,
  beside: boolean,
) {
  const { inbox, side } = desk
  if (what !== 'click') {
    if (beside) side.scroll(what === 'up' ? -WHEEL : WHEEL)
    else if (desk.mode === 'inbox') inbox.move(what === 'up' ? -1 : 1)
    return
  }
  if (beside || desk.mode !== 'inbox' || row === undefined) return
  const isSecond = inbox.row()?.key === row.key
  inbox.select(row.key)
  if (isSecond || side.page()?.follows) openRow(desk, row)
}

const WHEEL = 3

function find(desk: Desk): void {
  desk.mode = 'find'
  desk.says = `/${desk.inbox.find()} · Enter keeps the filter, Esc ends it`
}

/** Whoever leaves has seen what happened while they were away. */
function leave({ ports }: Desk): void {
  if (ports.room().away) ports.awaySeen()
  ports.leave()
}

function back(desk: Desk): void {
  if (desk.side.page()) closePane(desk)
  else desk.inbox.find('')
}

function turnPage(desk: Desk, by: 1 | -1): void {
  if (desk.side.page()) turn(desk, by)
  else for (let row = 0; row < PAGE; row += 1) desk.inbox.move(by)
}

const PAGE = 10

function toMessages(desk: Desk): void {
  const { list, ports } = desk
  closePane(desk)
  list.select(ports.room(), 'newest')
  if (list.cursor() === undefined) desk.says = 'no messages yet'
  else desk.mode = 'room'
}

function noRow(desk: Desk, key: string | undefined): void {
  const acts = ['open', 'read', 'terminal', 'reply'].includes(key ?? '')
  if (acts) desk.says = 'no row is selected: j and k select one'
}

/**
 * An option of the row is sent after Enter, no sooner; before that, all that it answers is shown.
 */
function askToAnswer(desk: Desk, row: InboxRow | undefined, digit: number) {
  const option = row && optionOf(row, digit)
  if (row === undefined || option === undefined) {
    desk.says = row ? `there is no option ${digit} on this row; Enter opens it` : ''
    return row ? undefined : noRow(desk, 'open')
  }
  openRow(desk, row)
  desk.mode = 'confirm'
  desk.waits = { line: option.line, row }
  desk.says = `${option.asks} · Enter sends, Esc cancels`
}

/** Opens what a row says: a message with its thread, or what needs the human, whole. */
function openRow(desk: Desk, row: InboxRow | undefined): void {
  if (row === undefined) return
  const ids = messagesOf(row)
  try {
    const several = row.away !== undefined || row.thread?.folded
    if (ids.length > 0) openThread(desk, entriesOf(desk, row, ids), ids[0], several)
    else {
      const text = wholeOf(row)
      const title = partsOf(row, desk.ports.now())[2]
      desk.side.open({ title, lines: (width) => wrap(text, width), follows: true })
    }
  } catch (error) {
    desk.says = failureOf(error).message
  }
  desk.inbox.keep(row)
}

/** The messages that a row opens, the one to begin at first. */
function messagesOf(row: InboxRow): readonly string[] {
  if (row.thread) return row.thread.ids
  if (row.away) return row.line && row.line.kind !== 'held' ? row.line.opens : []
  return 'id' in row.need ? [row.need.id] : []
}

/** So many threads of one row are opened. */
const THREADS = 20

/** A thread, or several, one after the other; of what is folded, the messages alone. */
function entriesOf({ ports }: Desk, { thread, away }: InboxRow, ids: readonly string[]): Entry[] {
  const [first = ''] = ids
  if (away) return ids.slice(0, THREADS).flatMap((id) => ports.thread(id))
  if (!thread?.folded) return ports.thread(first)
  return ids.flatMap((id) => ports.thread(id).filter((one) => 'id' in one && one.id === id))
}

function wholeOf(row: InboxRow): string {
  if (row.away) return (row.line ? [row.line] : row.away.lines).map(awayText).join('\n')
  if (row.need === undefined) return ''
  const { session, what, answer } = needRow(row.need)
  const who = session === null ? '' : `@${session}: `
  return `${who}${what}\n\nanswer: ${answerLine(row)?.trim() ?? answer}`
}

/** What still needs the human stays: only an answer takes it away. */
function markRead(desk: Desk, row: InboxRow): void {
  if (row.need) {
    desk.says = 'this still needs you: it goes once it is answered'
    return
  }
  desk.inbox.done(row)
  closePane(desk)
  if (row.thread) desk.ports.read(row.thread.ids)
  else desk.ports.awaySeen()
}

/** To the terminal; where its screen is shown here, back from it. */
function toTerminal(desk: Desk, row: InboxRow): void {
  const name = sessionOf(row)
  if (desk.side.page()?.terminal) closePane(desk)
  else openTerminal(desk, name)
}

function writeAnswer(desk: Desk, row: InboxRow): void {
  const line = answerLine(row)
  if (line === undefined && row.need) desk.says = `to answer: ${needRow(row.need).answer}`
  else if (line === undefined) desk.says = 'there is no one message to answer: Tab goes to them all'
  else toLine(desk, line)
}
