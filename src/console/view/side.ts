import { truncateToWidth } from '@earendil-works/pi-tui'
import type { Style } from './style.ts'
import { widthOf } from './width.ts'

/**
 * What is open in the pane beside the room; `full`, in place of it. Its lines depend on the width.
 */
export type Page = {
  title: string
  lines: (width: number) => string[]
  full?: boolean
  /** The line to begin at; its end, for a terminal. */
  start?: (width: number) => number
  /** Shows what is under the cursor, and goes along with it. */
  follows?: true
  /** The message that each line is of. */
  ids?: (width: number) => (string | undefined)[]
  /** It is a session's screen. */
  terminal?: true
}

/** The pane beside the room, or below it where that is narrow: one page, scrolled. */
export type Side = {
  page: () => Page | undefined
  /** Opens a page, or closes the pane. The same page with other lines stays where it was read. */
  open: (page: Page | undefined) => void
  scroll: (lines: number) => void
  /** Scrolls by a page, down where positive. */
  turn: (by: 1 | -1) => void
  /** Exactly so many rows, the title first, and the messages in them. */
  draw: (width: number, height: number, style: Style) => { lines: string[]; ids: string[] }
}

export function createSide(): Side {
  let page: Page | undefined
  let [down, height] = [0, 1]
  let fresh = false
  return {
    page: () => page,
    open: (next) => {
      fresh = next?.follows === true || next?.title !== page?.title
      page = next
    },
    scroll: (lines) => {
      down = Math.max(0, down + lines)
    },
    turn: (by) => {
      down = Math.max(0, down + by * Math.max(1, height - 2))
    },
    draw: (width, rows, style) => {
      const lines = page?.lines(width) ?? []
      height = rows
      if (fresh) down = page?.start?.(width) ?? 0
      fresh = false
      down = Math.max(0, Math.min(down, lines.length - (rows - 1)))
      const shown = lines.slice(down, down + rows - 1)
      const left = lines.length - down - shown.length
      const title = ` ${page?.title ?? ''}${left > 0 ? ` · ${left} lines below: PgDn` : ''} `
      const rule = truncateToWidth(`──${title}`, width, '')
      const rest = '─'.repeat(Math.max(0, width - widthOf(rule)))
      const gap = Array<string>(Math.max(0, rows - 1 - shown.length)).fill('')
      const ids = page?.ids?.(width).slice(down, down + rows - 1) ?? []
      return {
        lines: [style.tone('mark', rule + rest), ...shown, ...gap].slice(0, rows),
        ids: [...new Set(ids.flatMap((id) => id ?? []))],
      }
    },
  }
}
