import { truncateToWidth } from '@earendil-works/pi-tui'
import { EVERYTHING, type Filter } from '../model/filter.ts'
import { addresseeOf, type Room } from '../model/room.ts'
import { keyBar, type Mode } from './keybar.ts'
import { needLines } from './needs.ts'
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
  side: Pick<Side, 'page' | 'draw'>
}

/**
 * Exactly `rows` lines, none wider than `columns`, and the messages in them. `top`: the row where
 * the room begins; `numbers`: the entry of each of its rows; `sideAt`: where the pane beside
 * begins.
 */
export type Frame = {
  lines: string[]
  ids: string[]
  top: number
  numbers: number[]
  sideAt: { row: number; column: number } | undefined
}

/**
 * Less than this and the head, what waits, or the keys are left out: the input box comes first.
 * Rows.
 */
const ROOM_FOR_HEAD = 6
const ROOM_FOR_KEYS = 8
const ROOM_FOR_NEEDS = 10
const ROOM_FOR_PAGE_TOO = 20
/** Less than this and the line above the input tells only some of what it could. Columns. */
const ROOM_FOR_STATUS = 60

/**
 * From above: who is here, the room, what needs the human, to whom one writes, the input box, the keys.
 */
export function frameOf(scene: Scene, style: Style): Frame {
  const { room, columns, rows, mode, side } = scene
  const page = side.page()
  const asks = page ? !page.full && rows >= ROOM_FOR_PAGE_TOO : rows >= ROOM_FOR_NEEDS
  const keys = rows >= ROOM_FOR_KEYS ? [keyBar(mode, page, room, columns, style)] : []
  const input = scene.input.slice(-(rows - keys.length))
  const head = rows >= ROOM_FOR_HEAD ? topLines(room, columns, rows, style) : []
  const needs = asks ? needLines(room, columns, Math.max(2, Math.floor(rows / 4)), style) : []
  const status = rows > input.length + keys.length ? 1 : 0
  const used = input.length + keys.length + status + head.length + needs.length
  const height = Math.max(0, rows - used)
  const middle = middleOf(scene, height, head.length, style)
  const line = status === 0 ? [] : [statusLine(scene, middle, style)]
  const lines = [...head, ...middle.lines, ...needs, ...line, ...input, ...keys].slice(0, rows)
  return { ...middle, lines: lines.map((text) => clamped(text, columns)), top: head.length }
}

type Middle = Omit<Frame, 'top'> & { up: number }

/** The room, alone or with the pane beside it, or below it where that is narrow. */
function middleOf(scene: Scene, height: number, top: number, style: Style): Middle {
  const { room, columns, side, list } = scene
  const page = side.page()
  const empty = room.entries.length === 0
  const shown = (width: number, rows: number) => {
    const pane = list(width, rows, top)
    const lines = empty ? welcomeLines(room, width, style).slice(0, rows) : pane.lines
    const gap = Array<string>(Math.max(0, rows - lines.length)).fill('')
    return { ...pane, lines: [...lines, ...gap], ids: rows > 0 ? pane.ids : [] }
  }
  if (page === undefined) return { ...shown(columns, height), sideAt: undefined }
  if (page.full || height < 6) {
    const lines = side.draw(columns, height, style)
    return { lines, ids: [], numbers: [], up: 0, sideAt: { row: top, column: 0 } }
  }
  if (columns < WIDE) {
    const above = shown(columns, Math.floor(height / 2))
    const below = side.draw(columns, height - above.lines.length, style)
    const sideAt = { row: top + above.lines.length, column: 0 }
    return { ...above, lines: [...above.lines, ...below], sideAt }
  }
  const left = Math.floor(columns / 2)
  const pane = shown(left - 1, height)
  const beside = side.draw(columns - left - 2, height, style)
  const lines = pane.lines.map((line, at) => {
    const start = truncateToWidth(line, left - 1, '', true)
    return `${start}${style.tone('dim', '│')} ${beside[at] ?? ''}`
  })
  return { ...pane, lines, sideAt: { row: top, column: left } }
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
  const parts = [
    ...(last ? [] : [whom]),
    ...(filter === EVERYTHING ? [] : [`only ${filter}`]),
    ...(up > 0 ? [`${up} lines below: PgDn`] : []),
    ...(room.fresh > 0 ? [`${room.fresh} new`] : []),
    ...(above > 0 ? [`${above} unread above: /inbox`] : []),
    ...(last ? [whom] : []),
  ]
  const text = `── ${parts.join(' · ')} `
  return style.tone('dim', `${text}${'─'.repeat(Math.max(0, columns - widthOf(text)))}`)
}

/** The library throws at a line that is too wide, and a terminal would wrap it. */
function clamped(line: string, columns: number): string {
  return widthOf(line) <= columns ? line : truncateToWidth(line, columns, '')
}
