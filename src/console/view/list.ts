import type { Room } from '../model/room.ts'
import type { Look, Pane, Panes } from './pane.ts'

/** The room as a list that is scrolled, and that a cursor may go through. Remembers where it is. */
export type List = {
  /** Draws it; `top` is the row of the screen where it begins. */
  draw: (room: Room, look: Omit<Look, 'cursor'>, top: number) => Pane
  cursor: () => number | undefined
  /** Puts the cursor on an entry, or on the newest that is shown; `undefined` takes it away. */
  select: (room: Room, number: number | 'newest' | undefined) => void
  move: (room: Room, by: 1 | -1) => void
  /** To the first or the last entry. */
  edge: (room: Room, by: 1 | -1) => void
  /** Scrolls by so many lines, up where positive; the cursor goes along. */
  scroll: (room: Room, lines: number) => void
  /** Scrolls by a page, up or down. */
  page: (room: Room, by: 1 | -1) => void
  /** Brings this entry to the top; `undefined` shows the end. */
  goTo: (room: Room, number: number | undefined) => void
}

export function createList(panes: Panes): List {
  let look: Look = { width: 80, height: 0, shows: () => true }
  let [up, last, top, row] = [0, -1, 0, 0]
  const numberOfLast = (room: Room) => room.forgotten + room.entries.length - 1
  const linesFrom = (room: Room, number: number) => panes.below(room, number - 1, look)

  /** The row of the pane where this entry begins, and how many rows it has. */
  const placeOf = (room: Room, number: number) => {
    const from = linesFrom(room, number)
    return { at: look.height + up - from, rows: from - panes.below(room, number, look) }
  }
  const select: List['select'] = (room, number) => {
    const from = number === 'newest' ? numberOfLast(room) : number
    const found = from === undefined ? undefined : nearest(room, from)
    look = { ...look, cursor: found }
    if (found === undefined) return
    const { at, rows } = placeOf(room, found)
    row = top + Math.max(0, Math.min(at, look.height - rows))
    up = linesFrom(room, found) - look.height + row - top
  }
  const nearest = (room: Room, number: number) =>
    panes.next(room, Math.max(number, room.forgotten), -1, look) ??
    panes.next(room, Math.max(number, room.forgotten), 1, look)

  const draw: List['draw'] = (room, size, newTop) => {
    const { cursor } = look
    const resized = size.height !== look.height || size.width !== look.width || newTop !== top
    look = { ...size, cursor }
    top = newTop
    if (resized && cursor !== undefined)
      row = top + Math.max(0, Math.min(row - top, look.height - placeOf(room, cursor).rows))
    // The line under the cursor, and who reads further up, is not to be moved by what comes.
    if (cursor !== undefined && panes.next(room, cursor, 1, look) !== cursor) select(room, cursor)
    else if (cursor !== undefined) up = linesFrom(room, cursor) - look.height + row - top
    else if (up > 0) up += panes.below(room, last, look)
    last = numberOfLast(room)
    const pane = panes.pane(room, look, Math.max(0, up))
    up = pane.up
    if (look.cursor !== undefined) {
      const full = pane.lines.length >= look.height
      row = top + (full ? placeOf(room, look.cursor).at : pane.numbers.indexOf(look.cursor))
    }
    return pane
  }
  const scroll: List['scroll'] = (room, lines) => {
    up = Math.max(0, up + lines)
    if (look.cursor === undefined) return
    const pane = panes.pane(room, look, up)
    up = pane.up
    if (pane.numbers.includes(look.cursor)) row = top + placeOf(room, look.cursor).at
    else select(room, pane.numbers.at(lines > 0 ? -1 : 0))
  }
  return {
    draw,
    cursor: () => look.cursor,
    select,
    scroll,
    page: (room, by) => scroll(room, by * -Math.max(1, look.height - 1)),
    move: (room, by) => {
      const { cursor } = look
      const next = cursor === undefined ? undefined : panes.next(room, cursor + by, by, look)
      if (next !== undefined) select(room, next)
    },
    edge: (room, by) => select(room, by < 0 ? room.forgotten : 'newest'),
    goTo: (room, number) => {
      look = { ...look, cursor: undefined }
      up = number === undefined ? 0 : panes.upTo(room, number, look)
      // The way up counts all lines that there are: the next drawing must not add them again.
      last = numberOfLast(room)
    },
  }
}
