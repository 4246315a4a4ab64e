import { matchesKey } from '@earendil-works/pi-tui'
import { EVERYTHING, shownBy } from '../model/filter.ts'
import type { InboxRow } from '../model/inbox.ts'
import { bareWord } from '../model/input.ts'
import { closePane, openTerminal, toInbox, toLine, turn } from './acts.ts'
import type { Box } from './box.ts'
import { createBurst } from './burst.ts'
import type { Desk, ScreenPorts } from './desk.ts'
import { type Frame, frameOf } from './frame.ts'
import { createInbox } from './inbox.ts'
import { findKey, inboxKey, inboxMouse } from './inboxKeys.ts'
import { listKey, type Mouse, mouseOf, roomKey } from './keys.ts'
import { lineKey } from './lineKeys.ts'
import { createList } from './list.ts'
import { createPanes } from './pane.ts'
import { mouse, roomModeKey } from './roomKeys.ts'
import { createSide } from './side.ts'

type View = {
  draw: (columns: number, rows: number) => string[]
  /** Takes a key. Gives whether it was the room's own; else it is the input box's. */
  key: (data: string) => boolean
  submit: (line: string) => Promise<void>
}

const SEVERAL = 'keys that come at once press nothing: press one, or i to write'

/** The screen, as what is drawn and what keys do. `redraw` asks for a drawing. */
export function createView(
  ports: ScreenPorts,
  box: Box,
  redraw: () => void,
  mode: 'inbox' | 'line' = 'inbox',
): View {
  const { style, now } = ports
  const desk: Desk = {
    ...{ ports, box, redraw, mode, says: '', filter: EVERYTHING },
    ...{ list: createList(createPanes(style, now)), side: createSide() },
    inbox: createInbox(style, now),
  }
  const { list, inbox } = desk
  let frame: Frame | undefined

  const draw = (columns: number, rows: number): string[] => {
    const room = ports.room()
    const shows = shownBy(desk.filter)
    const input = box.lines(columns, Math.max(1, Math.floor(rows / 2)))
    frame = frameOf(
      {
        ...{ room, columns, rows, input, unseen: ports.unseen(), mode: modeOf(desk) },
        ...{ says: desk.says, filter: desk.filter, side: desk.side, row: inbox.row },
        list: (width, height, top) => list.draw(room, { width, height, shows }, top),
        inbox: (width, height) => inbox.draw(room, { width, height }),
      },
      style,
    )
    return frame.lines
  }
  const point = (at: Mouse) => {
    const { top = 0, numbers = [], rows = [], sideAt } = frame ?? {}
    const beside = sideAt !== undefined && at.row >= sideAt.row && at.column >= sideAt.column
    if (isInbox(desk)) inboxMouse(desk, at, rows[at.row - top], beside)
    else mouse(desk, at, numbers[at.row - top], beside)
  }
  const submit = async (line: string) => {
    box.remember(line)
    const { exit, goTo, open, inbox: isInbox } = await ports.submit(line)
    if (exit !== 0 && (box.text() === '' || desk.mode !== 'line')) {
      toLine(desk, line)
      desk.refused = bareWord(line) === undefined ? undefined : line
    }
    if (isInbox) toInbox(desk)
    if (goTo !== undefined) list.goTo(ports.room(), goTo)
    if (open !== undefined) openTerminal(desk, open)
  }
  const burst = createBurst(now, () => {
    desk.says = SEVERAL
  })
  const key = (data: string): boolean => {
    ports.pressed()
    ports.looked(frame?.ids ?? [])
    const pointed = mouseOf(data)
    if (pointed !== undefined && pointed !== 'other') point(pointed)
    if (pointed !== undefined) return true
    if (data.startsWith(PASTE) && desk.mode !== 'line') toLine(desk)
    if (desk.mode === 'line') return lineKey(desk, data)
    if (desk.mode === 'find') findKey(desk, data)
    else {
      // The key is for what stood there when it was pressed.
      const row = inbox.row()
      burst(() => press(desk, data, row, submit), moves(data))
    }
    return true
  }
  return {
    draw,
    key,
    submit: (line) => {
      toLine(desk)
      return submit(line)
    },
  }
}

const PASTE = '\u001b[200~'
const MOVES = ['next', 'previous', 'first', 'last', 'up', 'down']

function moves(data: string): boolean {
  return [listKey(data), roomKey(data)].some((key) => key && MOVES.includes(key))
}

function modeOf({ mode, box }: Desk) {
  return mode !== 'line' ? mode : box.text() === '' ? 'empty' : 'typing'
}

function isInbox({ mode }: Pick<Desk, 'mode'>): boolean {
  return mode === 'inbox' || mode === 'confirm' || mode === 'find'
}

type Submit = (line: string) => Promise<void>

/** A key that came alone, while nobody writes. */
function press(desk: Desk, data: string, row: InboxRow | undefined, submit: Submit): void {
  if (desk.mode === 'confirm') confirm(desk, data, row, submit)
  else if (desk.mode === 'inbox') inboxKey(desk, data, row)
  else if (desk.mode === 'room') roomModeKey(desk, data)
  else if (desk.mode === 'choose') desk.choices?.handleInput(data)
  desk.redraw()
}

/** Enter sends what waits, PgUp and PgDn scroll what is answered, and any other key drops it. */
function confirm(desk: Desk, data: string, row: InboxRow | undefined, submit: Submit) {
  const { waits, inbox } = desk
  const by = roomKey(data)
  if (by === 'up' || by === 'down') return turn(desk, by === 'up' ? -1 : 1)
  closePane(desk)
  desk.mode = 'inbox'
  desk.says = ''
  if (matchesKey(data, 'escape') || waits === undefined) return
  if (!matchesKey(data, 'enter')) return inboxKey(desk, data, row)
  inbox.done(waits.row)
  submit(waits.line).then(desk.redraw, desk.ports.fault)
}
