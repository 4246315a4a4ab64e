import type { Entry } from '../../chat/live/entry.ts'
import type { Room } from '../model/room.ts'
import { layout } from './layout.ts'
import type { Style } from './style.ts'

/** How the room is shown: on what space, which of its entries, and where the cursor is. */
export type Look = {
  width: number
  height: number
  shows: (entry: Entry) => boolean
  cursor?: number | undefined
}

/**
 * Lines of the room, the number of the entry of each, the messages among them, and how far up it
 * is.
 */
export type Pane = { lines: string[]; numbers: number[]; ids: string[]; up: number }

/** Lays entries out, each once for a width: nothing is laid out that is not looked at. */
export type Panes = {
  /** What is to be seen `up` lines from the end. */
  pane: (room: Room, look: Look, up: number) => Pane
  /** How many lines there are below the end of the entry of this number. */
  below: (room: Room, number: number, look: Look) => number
  /** How far up the entry of this number is at the top, or as near to it as can be. */
  upTo: (room: Room, number: number, look: Look) => number
  /** The number of the next entry that is shown, from this one on, by 1 or -1. */
  next: (room: Room, number: number, by: 1 | -1, look: Look) => number | undefined
}

/** Below this width no column is left for the cursor. */
const ROOM_FOR_CURSOR = 20

export function createPanes(style: Style, now: () => number): Panes {
  const laid = new WeakMap<Entry, { width: number; lines: string[] }>()
  const linesOf = (room: Room, index: number, look: Look): string[] => {
    const entry = room.entries[index]
    if (entry === undefined || !look.shows(entry)) return []
    const width = look.width - gutterOf(look)
    let known = laid.get(entry)
    if (known?.width !== width) {
      known = { width, lines: layout(entry, width, now(), style) }
      laid.set(entry, known)
    }
    return room.forgotten + index === room.mark
      ? [markLine(width, style), ...known.lines]
      : known.lines
  }
  const pane: Panes['pane'] = (room, look, up) => {
    const blocks: Block[] = []
    let total = 0
    const { height } = look
    for (let index = room.entries.length - 1; index >= 0 && total < up + height; index -= 1) {
      const entry = room.entries[index] as Entry
      const lines = linesOf(room, index, look)
      blocks.unshift({ entry, number: room.forgotten + index, lines })
      total += lines.length
    }
    const reached = Math.max(0, Math.min(up, total - height))
    const end = total - reached
    const start = Math.max(0, end - height)
    const numbers = blocks.flatMap(({ number, lines }) => lines.map(() => number)).slice(start, end)
    const lines = blocks.flatMap((block) => block.lines).slice(start, end)
    const mark = markLine(look.width - gutterOf(look), style)
    return {
      lines: lines.map((line, at) => {
        const here = numbers[at] === look.cursor && line !== mark
        return gutter(look, here, style) + line
      }),
      numbers,
      ids: idsBetween(blocks, start, end),
      up: reached,
    }
  }
  const below: Panes['below'] = (room, number, look) => {
    let total = 0
    for (let index = room.entries.length - 1; index > number - room.forgotten; index -= 1)
      total += linesOf(room, index, look).length
    return total
  }
  return {
    pane,
    below,
    upTo: (room, number, look) => Math.max(0, below(room, number - 1, look) - look.height),
    next: (room, number, by, look) => {
      for (let at = number; ; at += by) {
        const index = at - room.forgotten
        if (index < 0 || index >= room.entries.length) return undefined
        if (linesOf(room, index, look).length > 0) return at
      }
    },
  }
}

type Block = { entry: Entry; number: number; lines: string[] }

function idsBetween(blocks: readonly Block[], start: number, end: number): string[] {
  let at = 0
  return blocks.flatMap(({ entry, lines }) => {
    const [from, to] = [at, at + lines.length]
    at = to
    return entry.type === 'message' && from < end && to > start ? [entry.id] : []
  })
}

/** The first column belongs to the cursor, so that no line moves when it comes. */
function gutterOf({ width }: Look): number {
  return width >= ROOM_FOR_CURSOR ? 1 : 0
}

function gutter(look: Look, here: boolean, style: Style): string {
  if (gutterOf(look) === 0) return ''
  return here ? style.tone('mark', '▌') : ' '
}

function markLine(width: number, style: Style): string {
  const text = ' new '
  const left = Math.min(4, Math.max(0, width - text.length))
  return style.tone(
    'mark',
    `${'─'.repeat(left)}${text}${'─'.repeat(Math.max(0, width - left - text.length))}`.slice(
      0,
      width,
    ),
  )
}
