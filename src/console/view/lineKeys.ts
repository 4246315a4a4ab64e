import { matchesKey } from '@earendil-works/pi-tui'
import { helpText } from '../model/help.ts'
import { type Asking, firstDecision } from '../model/room.ts'
import { pressTab } from '../model/tab.ts'
import type { Desk } from './desk.ts'
import { letterOf, type RoomKey, roomKey } from './keys.ts'
import { layout, wrap } from './layout.ts'

const LEAVING = 'press Ctrl-C again to leave; your draft stays'

/** A key while somebody types. Gives whether it was the room's own. */
export function lineKey(desk: Desk, data: string): boolean {
  const pressed = roomKey(data)
  if (pressed !== 'interrupt' && pressed !== 'tab') desk.says = ''
  if (pressed !== 'tab') desk.tabs = undefined
  const empty = desk.box.text() === ''
  if (empty && matchesKey(data, 'escape') && desk.side.page()) return closePage(desk)
  if (desk.side.page()?.full && pressed !== 'up' && pressed !== 'down') closePage(desk)
  if (pressed !== undefined) return ownKey(desk, pressed, empty)
  return empty && emptyLineKey(desk, data)
}

/** Ctrl-C says how to leave, and leaves when it comes again. */
export function interrupt(desk: Desk): void {
  if (desk.says === LEAVING) desk.ports.leave()
  desk.says = LEAVING
}

/** PgUp and PgDn: of the pane beside the room, where it is open, else of the room. */
export function turn({ side, list, ports }: Desk, by: 1 | -1): void {
  if (side.page()) side.turn(by)
  else list.page(ports.room(), by)
}

export function openHelp({ side }: Desk): void {
  const lines = (width: number) => wrap(helpText('keys', width), width)
  side.open({ title: 'keys', lines, full: true })
}

function closePage({ side }: Desk): true {
  side.open(undefined)
  return true
}

function ownKey(desk: Desk, pressed: RoomKey, empty: boolean): boolean {
  const { box, list, ports } = desk
  switch (pressed) {
    case 'interrupt':
      interrupt(desk)
      return true
    case 'tab':
      tab(desk)
      return true
    case 'up':
    case 'down':
      turn(desk, pressed === 'up' ? -1 : 1)
      return true
    case 'redraw':
      list.goTo(ports.room(), undefined)
      return true
    case 'earlier':
    case 'later':
      box.press(pressed === 'earlier' ? '\u001b[A' : '\u001b[B')
      return true
    case 'end':
      if (empty) ports.leave()
      return empty
  }
}

function tab(desk: Desk): void {
  const pressed = pressTab(desk.box.before(), desk.ports.known(), desk.tabs)
  desk.box.replaceBefore(pressed.before)
  desk.says = pressed.says
  desk.tabs = pressed.tabs
}

function emptyLineKey(desk: Desk, data: string): boolean {
  const { list, ports } = desk
  const letter = letterOf(data)
  if (matchesKey(data, 'up') || matchesKey(data, 'escape')) {
    list.select(ports.room(), 'newest')
    if (list.cursor() !== undefined) desk.mode = 'room'
    return true
  }
  if (letter === '?') openHelp(desk)
  return letter === '?' || (/^[1-9]$/.test(letter) && askToAnswer(desk, Number(letter)))
}

/**
 * An option of the first decision is sent after Enter, no sooner. Without such an option, the digit
 * is text.
 */
function askToAnswer(desk: Desk, option: number): boolean {
  const question = firstDecision(desk.ports.room())
  const text = question?.options[option - 1]
  if (question === undefined || text === undefined) return false
  showWhole(desk, question)
  desk.mode = 'confirm'
  desk.waits = { line: `#${question.number} ${option}`, key: String(option) }
  desk.says = `answer #${question.number} to @${question.from}: ${option}. ${text} · Enter sends, Esc cancels`
  return true
}

/** What is answered, with all that it says: the line above the input has room for little. */
function showWhole({ ports, side }: Desk, { id, number }: Asking): void {
  const entry = ports.thread(id).find((one) => one.type === 'message' && one.id === id)
  if (entry === undefined) return
  const lines = (width: number) => layout(entry, width, ports.now(), ports.style, true)
  side.open({ title: `decision ${number}`, lines })
}
