import { SelectList } from '@earendil-works/pi-tui'
import { failureOf } from '../../chat/failure.ts'
import type { Entry } from '../../chat/live/entry.ts'
import { HUMAN } from '../../message/name.ts'
import { shortId } from '../../message/shortId.ts'
import { aboutOf, EVERYTHING, filtersFor } from '../model/filter.ts'
import {
  idOf,
  interrupt,
  openHelp,
  openTerminal,
  openThread,
  toInbox,
  toLine,
  turn,
} from './acts.ts'
import type { Desk } from './desk.ts'
import { letterOf, listKey, type Mouse, roomKey } from './keys.ts'

/** A key while the cursor is among the messages. */
export function roomModeKey(desk: Desk, data: string) {
  const { list, ports } = desk
  const [pressed, key, room] = [roomKey(data), listKey(data), ports.room()]
  if (pressed === 'interrupt') interrupt(desk)
  else desk.says = ''
  if (pressed === 'up' || pressed === 'down') turn(desk, pressed === 'up' ? -1 : 1)
  if (pressed === 'redraw') list.edge(room, 1)
  if (pressed === 'tab') toInbox(desk)
  if (pressed === 'end') ports.leave()
  if (pressed !== undefined) return
  if (/^[@#]$/.test(letterOf(data))) return toLine(desk, letterOf(data))
  if (key === 'next' || key === 'previous') list.move(room, key === 'next' ? 1 : -1)
  if (key === 'first' || key === 'last') list.edge(room, key === 'first' ? -1 : 1)
  if (key === 'back' || key === 'quit') back(desk)
  else if (key === 'write') toLine(desk)
  else if (key === 'help') openHelp(desk)
  else if (key === 'open') openEntry(desk)
  else if (key === 'reply') reply(desk)
  else if (key === 'copy') copy(desk)
  else if (key === 'terminal') openTerminal(desk, aboutOf(entryAt(desk)))
  else if (key === 'filter') chooseFilter(desk)
  else if (key !== undefined && desk.side.page()?.follows) openEntry(desk)
}

/** A click selects, a second one opens; the wheel scrolls what is under it. */
export function mouse(desk: Desk, { what, row }: Mouse, at: number | undefined, beside: boolean) {
  const { list, side, ports } = desk
  const room = ports.room()
  if (what !== 'click') {
    const lines = what === 'up' ? WHEEL : -WHEEL
    return beside ? side.scroll(-lines) : list.scroll(room, lines)
  }
  if (beside || desk.mode === 'choose') return
  if (at === undefined) return row >= 0 && desk.mode === 'room' ? toLine(desk) : undefined
  if (desk.mode === 'room' && list.cursor() === at) return openEntry(desk)
  desk.mode = 'room'
  list.select(room, at)
  if (side.page()?.follows) openEntry(desk)
}

const WHEEL = 3

function back(desk: Desk): void {
  if (desk.side.page()) desk.side.open(undefined)
  else if (desk.filter !== EVERYTHING) desk.filter = EVERYTHING
  else toInbox(desk)
}

function entryAt({ list, ports }: Desk): Entry | undefined {
  const { entries, forgotten } = ports.room()
  return entries[(list.cursor() ?? -1) - forgotten]
}

function openEntry(desk: Desk): void {
  const entry = entryAt(desk)
  if (entry === undefined) return
  try {
    const entries = entry.type === 'message' ? desk.ports.thread(entry.id) : [entry]
    openThread(desk, entries, idOf(entry))
  } catch (error) {
    desk.says = failureOf(error).message
  }
}

function reply(desk: Desk): void {
  const entry = entryAt(desk)
  if (entry?.type !== 'message') {
    desk.says = 'only a message can be answered'
    return
  }
  const { id, from, to, decision } = entry
  if (from === HUMAN) toLine(desk, `@${to} `)
  else toLine(desk, decision ? `#${decision.number} ` : `/reply ${shortId(id)} `)
}

function copy(desk: Desk): void {
  const entry = entryAt(desk)
  if (entry?.type !== 'message') {
    desk.says = 'only a message has an id'
    return
  }
  desk.says = `copied ${entry.id}`
  desk.ports.copy(entry.id).catch(desk.ports.fault)
}

function chooseFilter(desk: Desk): void {
  const { ports, side, redraw } = desk
  const items = filtersFor(ports.room()).map((value) => ({ value, label: value }))
  const choices = new SelectList(items, 8, {
    selectedPrefix: (text) => text,
    selectedText: (text) => ports.style.tone('strong', text),
    description: (text) => text,
    scrollInfo: (text) => text,
    noMatch: (text) => text,
  })
  choices.setSelectedIndex(items.findIndex(({ value }) => value === desk.filter))
  const close = () => {
    desk.mode = 'room'
    side.open(undefined)
    redraw()
  }
  choices.onCancel = close
  choices.onSelect = ({ value }) => {
    desk.filter = value
    close()
  }
  desk.mode = 'choose'
  desk.choices = choices
  side.open({ title: 'show only', lines: (width) => choices.render(width) })
}
