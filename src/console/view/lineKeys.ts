import { matchesKey } from '@earendil-works/pi-tui'
import { pressTab } from '../model/tab.ts'
import { interrupt, openHelp, toInbox, turn } from './acts.ts'
import type { Desk } from './desk.ts'
import { letterOf, type RoomKey, roomKey } from './keys.ts'

/** A key while somebody types. Gives whether it was the room's own. */
export function lineKey(desk: Desk, data: string): boolean {
  const pressed = roomKey(data)
  if (pressed !== 'interrupt' && pressed !== 'tab') desk.says = ''
  if (pressed !== 'tab') desk.tabs = undefined
  // It was refused, and whatever is typed now is not meant to follow it.
  if (desk.refused !== undefined && desk.box.text() === desk.refused) desk.box.set('')
  desk.refused = undefined
  const empty = desk.box.text() === ''
  if (empty && matchesKey(data, 'escape') && desk.side.page()) return closePage(desk)
  if (desk.side.page()?.full && pressed !== 'up' && pressed !== 'down') closePage(desk)
  if (pressed !== undefined) return ownKey(desk, pressed, empty)
  return empty && emptyLineKey(desk, data)
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
  if (matchesKey(data, 'escape')) {
    toInbox(desk)
    return true
  }
  if (matchesKey(data, 'up')) {
    list.select(ports.room(), 'newest')
    if (list.cursor() !== undefined) desk.mode = 'room'
    return true
  }
  const isHelp = letterOf(data) === '?'
  if (isHelp) openHelp(desk)
  return isHelp
}
