import { truncateToWidth } from '@earendil-works/pi-tui'
import { EVERYTHING, type Filter } from '../model/filter.ts'
import type { InboxRow } from '../model/inbox.ts'
import { addresseeOf, type Room } from '../model/room.ts'
import { type InboxPane, needsText, ruled } from './inbox.ts'
import { keyBar, type Mode } from './keybar.ts'
import type { Pane } from './pane.ts'
import type { Side } from './side.ts'
import type { Style } from './style.ts'
import { topLines, WIDE, welcomeLines } from './top.ts'
import { widthOf } from './width.ts'

/**
 * What a frame is made of. `says` is shown above the `input` lines; nobody has looked at `unseen`.
 */
export type Scene = {
  room: Room
  columns: number
  rows: number
  input: readonly string[]
  says: string
  unseen: readonly string[]
  mode: Mode
  filter: Filter
  /** Draws the room on so much space, from this row of the screen on. */
  list: (width: number, height: number, top: number) => Pane
  inbox: (width: number, height: number) => InboxPane
  /** The row under the cursor of the inbox, once that is drawn. */
  row: () => InboxRow | undefined
  side: Pick<Side, 'page' | 'draw'>
}

/**
 * Exactly `rows` lines, none wider than `columns`, and the messages that are shown in them.
 * `top`: the row where the room begins; `numbers`: the entry of each of its rows, or `rows`: what the
 * inbox shows there; `sideAt`: where the pane beside begins.
 */
export type Frame = {
  lines: string[]
  ids: string[]
  top: number
  numbers: number[]
  rows: readonly (InboxRow | undefined)[]
  sideAt: { row: number; column: number } | undefined
}

/**
 * Less than this and the head, or the keys are left out: the input box or the inbox comes first. Rows.
 */
const ROOM_FOR_HEAD = 6
const ROOM_FOR_KEYS = 8
/** So many rows of messages are worth a place below the inbox. */
const ROOM_FOR_MESSAGES = 4
/** Less than this and the line above the input tells only some of what it could. Columns. */
const ROOM_FOR_STATUS = 60

/**
 * From above: who is here, then the inbox with the last messages below it, or the messages with the
 * box that one writes in; what there is to say, and the keys.
 */
export function frameOf(scene: Scene, style: Style): Frame {
  const { room, columns, rows, mode, says } = scene
  const keys = rows >= ROOM_FOR_KEYS ? 1 : 0
  const input = writes(mode) ? scene.input.slice(-(rows - keys)) : []
  const head = rows >= ROOM_FOR_HEAD ? topLines(room, columns, rows, style) : []
  const status = rows > input.length + keys && (writes(mode) || says !== '') ? 1 : 0
  const height = Math.max(0, rows - input.length - keys - status - head.length)
  const middle = middleOf(scene, height, head.length, style)
  const line = status === 0 ? [] : [statusLine(scene, middle, style)]
  const bar = keys === 0 ? [] : [keyBar(scene, style)]
  const lines = [...head, ...middle.lines, ...line, ...input, ...bar].slice(0, rows)
  return { ...middle, lines: lines.map((text) => clamped(text, columns)), top: head.length }
}

type Middle = Omit<Frame, 'top'> & { up: number }

/** Whether the messages are shown with the box that one writes in. */
function writes(mode: Mode): boolean {
  return !['inbox', 'confirm', 'find'].includes(mode)
}

/** The inbox or the messages, alone or with the pane beside it, or below it where that is narrow. */
function middleOf(scene: Scene, height: number, top: number, style: Style): Middle {
  const { columns, side, mode } = scene
  const page = side.page()
  const shown = (width: number, rows: number): Omit<Middle, 'sideAt'> => {
    const pane = writes(mode)
      ? messages(scene, width, rows, top, style)
      : inbox(scene, width, rows, top, style)
    const gap = Array<string>(Math.max(0, rows - pane.lines.length)).fill('')
    return { ...pane, lines: [...pane.lines, ...gap], ids: rows > 0 ? pane.ids : [] }
  }
  if (page === undefined) return { ...shown(columns, height), sideAt: undefined }
  if (page.full || height < 6) {
    const drawn = side.draw(columns, height, style)
    return { ...drawn, numbers: [], rows: [], up: 0, sideAt: { row: top, column: 0 } }
  }
  if (columns < WIDE) {
    const above = shown(columns, Math.floor(height / 2))
    const below = side.draw(columns, height - above.lines.length, style)
    const sideAt = { row: top + above.lines.length, column: 0 }
    const ids = [...above.ids, ...below.ids]
    return { ...above, ids, lines: [...above.lines, ...below.lines], sideAt }
  }
  const left = Math.floor(columns / 2)
  const pane = shown(left - 1, height)
  const beside = side.draw(columns - left - 2, height, style)
  const lines = pane.lines.map((line, at) => {
    const start = truncateToWidth(line, left - 1, '', true)
    return `${start}${style.tone('dim', '│')} ${beside.lines[at] ?? ''}`
  })
  const ids = [...pane.ids, ...beside.ids]
  return { ...pane, ids, lines, sideAt: { row: top, column: left } }
}

function messages({ room, list }: Scene, width: number, rows: number, top: number, style: Style) {
  const pane = list(width, rows, top)
  const lines = room.entries.length > 0 ? pane.lines : welcomeLines(room, width, style)
  return { ...pane, lines: lines.slice(0, rows), rows: [] }
}

/** A row of the inbox has only the beginning of a message: to list it reads nothing. */
function inbox(scene: Scene, width: number, height: number, top: number, style: Style) {
  const { lines, rows } = scene.inbox(width, height)
  const left = height - lines.length - 1
  const isEmpty = scene.room.entries.length === 0
  const below = left < ROOM_FOR_MESSAGES ? [] : messages(scene, width, left, top, style).lines
  const title = below.length === 0 || isEmpty ? [] : [ruled('messages', width, style)]
  const all = [...lines, ...title, ...below].slice(0, height)
  return { lines: all, ids: [], numbers: [], rows: [undefined, ...rows], up: 0 }
}

function statusLine(
  { room, columns, says, unseen, filter, mode }: Scene,
  { up, ids }: Middle,
  style: Style,
): string {
  if (says !== '') return style.tone('warn', truncateToWidth(says, columns, '…'))
  const to = addresseeOf(room)
  const above = unseen.filter((id) => !ids.includes(id)).length
  const whom = to === undefined ? 'to: nobody yet (type @name)' : `to: @${to}`
  // Whoever goes through a narrow room is told first where they are.
  const last = mode === 'room' || (to === undefined && columns < ROOM_FOR_STATUS)
  const { needs } = room
  const parts = [
    ...(last ? [] : [whom]),
    ...(needs.length > 0 ? [needsText(needs.length)] : []),
    ...(filter === EVERYTHING ? [] : [`only ${filter}`]),
    ...(up > 0 ? [`${up} lines below: PgDn`] : []),
    ...(room.fresh > 0 ? [`${room.fresh} new`] : []),
    ...(above > 0 ? [`${above} unread: /inbox`] : []),
    ...(last ? [whom] : []),
  ]
  const text = `── ${parts.join(' · ')} `
  return style.tone('dim', `${text}${'─'.repeat(Math.max(0, columns - widthOf(text)))}`)
}

/** The library throws at a line that is too wide, and a terminal would wrap it. */
function clamped(line: string, columns: number): string {
  return widthOf(line) <= columns ? line : truncateToWidth(line, columns, '')
}
