import { matchesKey } from '@earendil-works/pi-tui'
import { EVERYTHING, NEEDS_ME, shownBy } from '../model/filter.ts'
import { questionsIn } from '../model/room.ts'
import type { Box } from './box.ts'
import type { Desk, ScreenPorts } from './desk.ts'
import { type Frame, frameOf } from './frame.ts'
import { type Mouse, mouseOf, roomKey } from './keys.ts'
import { lineKey, turn } from './lineKeys.ts'
import { createList } from './list.ts'
import { createPanes } from './pane.ts'
import { mouse, openTerminal, roomModeKey, toLine } from './roomKeys.ts'
import { createSide } from './side.ts'

type View = {
  draw: (columns: number, rows: number) => string[]
  /** Takes a key. Gives whether it was the room's own; else it is the input box's. */
  key: (data: string) => boolean
  submit: (line: string) => Promise<void>
}

/** The screen, as what is drawn and what keys do. `redraw` asks for a drawing. */
export function createView(ports: ScreenPorts, box: Box, redraw: () => void): View {
  const list = createList(createPanes(ports.style, ports.now))
  const desk: Desk = {
    ...{ ports, box, list, redraw, side: createSide() },
    ...{ mode: 'line', says: '', filter: EVERYTHING },
  }
  const needs = new Set<string>()
  let frame: Frame | undefined

  const draw = (columns: number, rows: number): string[] => {
    const room = ports.room()
    const unseen = ports.unseen()
    // What has been answered or read stays until another filter is chosen: no row moves by itself.
    if (desk.filter !== NEEDS_ME) needs.clear()
    for (const id of [...unseen, ...questionsIn(room).map(({ id }) => id)]) needs.add(id)
    const shows = shownBy(desk.filter, needs)
    const mode = desk.mode !== 'line' ? desk.mode : box.text() === '' ? 'empty' : 'typing'
    const input = box.lines(columns, Math.max(1, Math.floor(rows / 2)))
    frame = frameOf(
      {
        ...{ room, columns, rows, input, unseen, mode },
        ...{ says: desk.says, filter: desk.filter, side: desk.side },
        list: (width, height, top) => list.draw(room, { width, height, shows }, top),
      },
      ports.style,
    )
    return frame.lines
  }
  const point = (at: Mouse) => {
    const { top = 0, numbers = [], sideAt } = frame ?? {}
    const beside = sideAt !== undefined && at.row >= sideAt.row && at.column >= sideAt.column
    mouse(desk, at, numbers[at.row - top], beside)
  }
  const submit = async (line: string) => {
    box.remember(line)
    toLine(desk)
    const { exit, goTo, open } = await ports.submit(line)
    if (exit !== 0 && box.text() === '') box.set(line)
    if (goTo !== undefined) list.goTo(ports.room(), goTo)
    if (open !== undefined) openTerminal(desk, open)
  }
  const key = (data: string): boolean => {
    ports.looked(frame?.ids ?? [])
    const pointed = mouseOf(data)
    if (pointed !== undefined && pointed !== 'other') point(pointed)
    if (pointed !== undefined) return true
    if (desk.mode === 'room') return roomModeKey(desk, data)
    if (desk.mode === 'confirm') return confirm(desk, data, submit)
    if (desk.mode === 'line') return lineKey(desk, data)
    desk.choices?.handleInput(data)
    return true
  }
  return { draw, key, submit }
}

/**
 * Enter sends what waits, Esc drops it, PgUp and PgDn scroll what is answered. Any other key says that the digit was the beginning of a
 * text.
 */
function confirm(desk: Desk, data: string, submit: (line: string) => Promise<void>): boolean {
  const { line = '', key = '' } = desk.waits ?? {}
  const by = roomKey(data)
  if (by === 'up' || by === 'down') {
    turn(desk, by === 'up' ? -1 : 1)
    return true
  }
  const sends = matchesKey(data, 'enter')
  desk.side.open(undefined)
  desk.mode = 'line'
  desk.says = ''
  if (sends) submit(line).then(desk.redraw, desk.ports.fault)
  if (sends || matchesKey(data, 'escape')) return true
  desk.box.press(key)
  return lineKey(desk, data)
}
