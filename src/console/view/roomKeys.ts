import { SelectList } from '@earendil-works/pi-tui'
import { failureOf } from '../../chat/failure.ts'
import type { Entry } from '../../chat/live/entry.ts'
import { HUMAN } from '../../message/name.ts'
import { shortId } from '../../message/shortId.ts'
import { aboutOf, EVERYTHING, filtersFor } from '../model/filter.ts'
import type { Desk } from './desk.ts'
import { letterOf, listKey, type Mouse, roomKey } from './keys.ts'
import { layout } from './layout.ts'
import { interrupt, openHelp, turn } from './lineKeys.ts'

/** A key while the cursor is in the room. Gives whether it was the room's own; else it is typed. */
export function roomModeKey(desk: Desk, data: string): boolean {
  const { list, ports } = desk
  const [pressed, key, room] = [roomKey(data), listKey(data), ports.room()]
  if (pressed === 'interrupt') interrupt(desk)
  else desk.says = ''
  if (pressed === 'up' || pressed === 'down') turn(desk, pressed === 'up' ? -1 : 1)
  if (pressed === 'redraw') list.edge(room, 1)
  if (pressed !== undefined) return true
  if (/^[@/#]$/.test(letterOf(data)) || data.startsWith('\u001b[200~')) {
    toLine(desk)
    return false
  }
  if (key === 'next' || key === 'previous') list.move(room, key === 'next' ? 1 : -1)
  if (key === 'first' || key === 'last') list.edge(room, key === 'first' ? -1 : 1)
  if (key === 'back') back(desk)
  else if (key === 'help') openHelp(desk)
  else if (key === 'open') openEntry(desk)
  else if (key === 'reply') reply(desk)
  else if (key === 'copy') copy(desk)
  else if (key === 'terminal') openTerminal(desk, aboutOf(entryAt(desk)))
  else if (key === 'filter') chooseFilter(desk)
  else if (key !== undefined && desk.side.page()?.follows) openEntry(desk)
  return true
}

/** A click selects, a second one opens; the wheel scrolls what is under it. */
export function mouse(desk: Desk, { what, row }: Mouse, at: number | undefined, beside: boolean) {
  const { list, side, ports } = desk
  const room = ports.room()
  if (what !== 'click') {
    const lines = what === 'up' ? WHEEL : -WHEEL
    return beside ? side.scroll(-lines) : list.scroll(room, lines)
  }
  if (beside || desk.mode === 'confirm' || desk.mode === 'choose') return
  if (at === undefined) return row >= 0 && desk.mode === 'room' ? toLine(desk) : undefined
  if (desk.mode === 'room' && list.cursor() === at) return openEntry(desk)
  desk.mode = 'room'
  list.select(room, at)
  if (side.page()?.follows) openEntry(desk)
}

/** Opens a session's terminal, or shows its screen, read-only, anew each second. */
export function openTerminal(desk: Desk, name: string | undefined): void {
  const { side, ports, redraw } = desk
  if (name === undefined || name === HUMAN) {
    desk.says = 'no session to open on this line'
    return
  }
  const title = `the terminal of @${name}, read-only`
  const show = (text: string[] | undefined) => {
    if (text === undefined) return
    side.open({ title, lines: () => text, start: () => text.length })
    redraw()
    const again = () => {
      if (side.page()?.title === title) ports.terminal(name, true).then(show, fail)
    }
    setTimeout(again, PEEK_MS).unref()
  }
  const fail = (error: unknown) => {
    const { message, hint } = failureOf(error)
    desk.says = `${message} (${hint})`
    redraw()
  }
  ports.terminal(name).then(show, fail)
}

const WHEEL = 3
/** How often a screen that is looked at is drawn anew. In milliseconds. */
const PEEK_MS = 1000

export function toLine(desk: Desk): void {
  desk.mode = 'line'
  desk.side.open(undefined)
  desk.list.goTo(desk.ports.room(), undefined)
}

function back(desk: Desk): void {
  if (desk.side.page()) desk.side.open(undefined)
  else if (desk.filter !== EVERYTHING) desk.filter = EVERYTHING
  else toLine(desk)
}

function entryAt({ list, ports }: Desk): Entry | undefined {
  const { entries, forgotten } = ports.room()
  return entries[(list.cursor() ?? -1) - forgotten]
}

function openEntry(desk: Desk): void {
  const entry = entryAt(desk)
  if (entry === undefined) return
  const { ports, side } = desk
  try {
    const entries = entry.type === 'message' ? ports.thread(entry.id) : [entry]
    const at = entries.findIndex((one) => idOf(one) === idOf(entry))
    const linesOf = (some: Entry[], width: number) =>
      some.flatMap((one) => [...layout(one, width, ports.now(), ports.style, true), ''])
    side.open({
      title: entries.length > 1 ? `thread of ${entries.length} messages` : 'message',
      lines: (width) => linesOf(entries, width),
      start: (width) => linesOf(entries.slice(0, Math.max(0, at)), width).length,
      follows: true,
    })
  } catch (error) {
    desk.says = failureOf(error).message
  }
}

function idOf(entry: Entry): string | undefined {
  return entry.type === 'message' ? entry.id : undefined
}

function reply(desk: Desk): void {
  const entry = entryAt(desk)
  if (entry?.type !== 'message') {
    desk.says = 'only a message can be answered'
    return
  }
  toLine(desk)
  const { id, from, to, decision } = entry
  if (from === HUMAN) desk.box.set(`@${to} `)
  else desk.box.set(decision ? `#${decision.number} ` : `/reply ${shortId(id)} `)
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
