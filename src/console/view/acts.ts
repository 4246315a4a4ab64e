import { failureOf } from '../../chat/failure.ts'
import type { Entry } from '../../chat/live/entry.ts'
import { HUMAN } from '../../message/name.ts'
import { helpText } from '../model/help.ts'
import type { Desk } from './desk.ts'
import { layout, wrap } from './layout.ts'

const LEAVING = 'press Ctrl-C again to leave; your draft stays'

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

/** To the line, which gets `text`; a draft that is there stays. */
export function toLine(desk: Desk, text = ''): void {
  desk.mode = 'line'
  closePane(desk)
  desk.list.goTo(desk.ports.room(), undefined)
  if (text === '') return
  if (desk.box.text() === '') desk.box.set(text)
  else desk.says = 'your draft is still here: Ctrl-U clears it'
}

/** Closes the pane; the row that was open in it goes, where it is done. */
export function closePane({ side, inbox }: Desk): void {
  side.open(undefined)
  inbox.keep(undefined)
}

export function toInbox(desk: Desk): void {
  desk.mode = 'inbox'
  desk.says = ''
  closePane(desk)
  desk.list.goTo(desk.ports.room(), undefined)
}

/** Opens these entries in the pane, from the one of this id on. */
export function openThread(
  { ports, side }: Desk,
  entries: Entry[],
  id: string | undefined,
  several = false,
): void {
  const at = entries.findIndex((one) => idOf(one) === id)
  const blocks = (width: number) =>
    entries.map((one) => ({
      id: idOf(one),
      lines: [...layout(one, width, ports.now(), ports.style, true), ''],
    }))
  side.open({
    title:
      entries.length === 1 ? 'message' : `${several ? '' : 'thread of '}${entries.length} messages`,
    lines: (width) => blocks(width).flatMap(({ lines }) => lines),
    ids: (width) => blocks(width).flatMap(({ id: own, lines }) => lines.map(() => own)),
    start: (width) =>
      blocks(width)
        .slice(0, Math.max(0, at))
        .flatMap(({ lines }) => lines).length,
    follows: true,
  })
}

export function idOf(entry: Entry): string | undefined {
  return entry.type === 'message' ? entry.id : undefined
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
    side.open({ title, lines: () => text, start: () => text.length, terminal: true })
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

/** How often a screen that is looked at is drawn anew. In milliseconds. */
const PEEK_MS = 1000
