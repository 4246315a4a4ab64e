import type { Entry } from '../model/entry.ts'
import type { Room } from '../model/room.ts'
import { layout } from './layout.ts'
import type { Style } from './style.ts'

/** What part of the room is to be shown: `up` lines from its end. */
type PaneSize = { width: number; height: number; up: number }

/** Lines of the room, the messages among them, and how far up it is. */
export type Pane = { lines: string[]; ids: string[]; up: number }

/** Lays entries out, each once for a width: nothing is laid out that is not looked at. */
export type Panes = {
  pane: (room: Room, size: PaneSize) => Pane
  /** How many lines stand below the end of the entry of this number. */
  below: (room: Room, number: number, width: number) => number
  /** How far up the entry of this number stands at the top, or as near to it as can be. */
  upTo: (room: Room, number: number, size: Omit<PaneSize, 'up'>) => number
}

export function createPanes(style: Style, now: () => number): Panes {
  const laid = new WeakMap<Entry, { width: number; lines: string[] }>()
  const linesOf = (room: Room, index: number, width: number): string[] => {
    const entry = room.entries[index]
    if (entry === undefined) return []
    let known = laid.get(entry)
    if (known?.width !== width) {
      known = { width, lines: layout(entry, width, now(), style) }
      laid.set(entry, known)
    }
    return room.forgotten + index === room.mark
      ? [markLine(width, style), ...known.lines]
      : known.lines
  }
  const pane: Panes['pane'] = (room, { width, height, up }) => {
    const blocks: { entry: Entry; lines: string[] }[] = []
    let total = 0
    for (let index = room.entries.length - 1; index >= 0 && total < up + height; index -= 1) {
      const entry = room.entries[index] as Entry
      const lines = linesOf(room, index, width)
      blocks.unshift({ entry, lines })
      total += lines.length
    }
    const reached = Math.max(0, Math.min(up, total - height))
    const end = total - reached
    const start = Math.max(0, end - height)
    return {
      lines: blocks.flatMap(({ lines }) => lines).slice(start, end),
      ids: idsBetween(blocks, start, end),
      up: reached,
    }
  }
  const below: Panes['below'] = (room, number, width) => {
    let total = 0
    for (let index = room.entries.length - 1; index > number - room.forgotten; index -= 1)
      total += linesOf(room, index, width).length
    return total
  }
  return {
    pane,
    below,
    upTo: (room, number, { width, height }) => Math.max(0, below(room, number - 1, width) - height),
  }
}

function idsBetween(
  blocks: readonly { entry: Entry; lines: string[] }[],
  start: number,
  end: number,
): string[] {
  let at = 0
  return blocks.flatMap(({ entry, lines }) => {
    const [from, to] = [at, at + lines.length]
    at = to
    return entry.type === 'message' && from < end && to > start ? [entry.id] : []
  })
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
