import { visibleWidth } from '@earendil-works/pi-tui'

const COLOUR = /\u001b\[[\d;]*m/g

/** Signs of one column each: Latin letters, and what the room itself draws. */
const SIMPLE = /^[ -~\u00a1-\u00ac\u00ae-\u02ff‐-‧←-⇿─-▟○●▶›✓]*$/

/**
 * The columns that a line takes. To tell characters apart, which only unusual text needs, costs far
 * more memory than to count them, and a room does it all day.
 */
export function widthOf(line: string): number {
  const text = line.includes('\u001b') ? line.replace(COLOUR, '') : line
  return SIMPLE.test(text) ? text.length : visibleWidth(line)
}
