import { type Cell, columns, plain } from './sgr.ts'

/**
 * The box around the cursor. `rows`: what is inside, without borders; `top` and `left`: where its
 * first cell is on the screen.
 */
export type Frame = { rows: Cell[][]; top: number; left: number; below: Cell[][] }

// A line across the screen, perhaps with corners and with a name set into it.
const RULE = /^\s{0,3}[╭┌┏╰└┗]?[─━]{2,}.*[─━][╮┐┓╯┘┛]?$/u
const SIDE = /^\s{0,3}[│┃]/u

/**
 * The box that the cursor stands in: between the nearest lines across the screen above and below
 * it, with or without borders at its sides. Undefined where there is none.
 */
export function findFrame(
  rows: readonly Cell[][],
  { cursorY, width }: { cursorY: number; width: number },
  rule = RULE,
): Frame | undefined {
  const isRule = (row: readonly Cell[]) => columns(row) >= width - 4 && rule.test(plain(row))
  const above = rows.slice(0, cursorY).findLastIndex(isRule)
  const under = rows.slice(cursorY).findIndex(isRule)
  if (above < 0 || under <= 0) return undefined
  const bottom = cursorY + under
  const inside = rows.slice(above + 1, bottom)
  const border = plain(inside[0] ?? []).match(SIDE)?.[0].length ?? 0
  return {
    rows: border === 0 ? inside : inside.map((row) => withoutBorders(row, border)),
    top: above + 1,
    left: border,
    below: rows.slice(bottom + 1),
  }
}

function withoutBorders(row: readonly Cell[], left: number): Cell[] {
  const inner = row.slice(left, -1)
  const last = inner.findLastIndex((cell) => cell.char.trim() !== '')
  return inner.slice(0, last + 1)
}
