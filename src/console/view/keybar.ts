import { firstDecision, type Room } from '../model/room.ts'
import type { Page } from './side.ts'
import type { Style } from './style.ts'
import { widthOf } from './width.ts'

/**
 * Who gets the keys: the line, empty or not; the cursor in the room; a question before an act; a
 * list.
 */
export type Mode = 'empty' | 'typing' | 'room' | 'confirm' | 'choose'

/** Keys and what they do, the most useful first: what there is no room for is left out. */
const BARS: Record<Mode, readonly [key: string, does: string][]> = {
  empty: [
    ['?', 'keys'],
    ['↑', 'select'],
    ['Tab', 'complete'],
    ['^D', 'quit'],
  ],
  typing: [
    ['Enter', 'send'],
    ['Tab', 'complete'],
    ['^U', 'clear'],
    ['Shift-Enter', 'new line'],
  ],
  room: [
    ['Enter', 'open'],
    ['r', 'reply'],
    ['o', 'terminal'],
    ['Esc', 'back'],
    ['f', 'filter'],
    ['y', 'copy id'],
    ['j k g G', 'move'],
    ['?', 'keys'],
  ],
  confirm: [
    ['Enter', 'send'],
    ['Esc', 'cancel'],
  ],
  choose: [
    ['↑ ↓', 'choose'],
    ['Enter', 'show'],
    ['Esc', 'cancel'],
  ],
}

const PAGE: readonly [string, string][] = [
  ['Esc', 'close'],
  ['PgUp PgDn', 'scroll'],
]

/** One line of the keys that work now. `page`: what the pane beside the room shows. */
export function keyBar(
  mode: Mode,
  page: Page | undefined,
  room: Pick<Room, 'needs'>,
  columns: number,
  style: Style,
): string {
  const first = firstDecision(room)
  const most = Math.min(9, first?.options.length ?? 0)
  const answer: [string, string][] =
    mode === 'empty' && most > 0
      ? [[most === 1 ? '1' : `1-${most}`, `answer #${first?.number}`]]
      : []
  const own = page?.full ? [] : [...answer, ...BARS[mode]]
  // What is answered is on the page then, and Esc cancels.
  const scroll = page && mode === 'confirm' ? PAGE.slice(1) : []
  const keys = [...(page && mode !== 'choose' && mode !== 'confirm' ? PAGE : []), ...own, ...scroll]
  let line = ''
  for (const [key, does] of keys) {
    if (page && mode === 'room' && does === 'back') continue
    const piece = `${style.tone('strong', key)} ${style.tone('dim', does)}`
    const joined = line === '' ? piece : `${line}${style.tone('dim', ' · ')}${piece}`
    if (widthOf(joined) > columns) break
    line = joined
  }
  return line
}
