import { answerLine, type InboxRow } from '../model/inbox.ts'
import type { Page } from './side.ts'
import type { Style } from './style.ts'
import { widthOf } from './width.ts'

/**
 * Who gets the keys: the inbox, a question before an act, its filter; the line, empty or not; the
 * cursor among the messages; a list.
 */
export type Mode = 'inbox' | 'confirm' | 'find' | 'empty' | 'typing' | 'room' | 'choose'

type Keys = readonly [key: string, does: string][]

/** Keys and what they do, the most useful first: what there is no room for is left out. */
const BARS: Record<Mode, Keys> = {
  inbox: [
    ['i', 'write'],
    ['?', 'keys'],
    ['q', 'quit'],
    ['j k', 'move'],
    ['/', 'filter'],
    ['Tab', 'messages'],
  ],
  confirm: [
    ['Enter', 'send'],
    ['Esc', 'cancel'],
  ],
  find: [
    ['Enter', 'keep'],
    ['Esc', 'end the filter'],
  ],
  empty: [
    ['Esc', 'inbox'],
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
  choose: [
    ['↑ ↓', 'choose'],
    ['Enter', 'show'],
    ['Esc', 'cancel'],
  ],
}

const PAGE: Keys = [
  ['Esc', 'close'],
  ['PgUp PgDn', 'scroll'],
]

type Bar = {
  mode: Mode
  columns: number
  row: () => InboxRow | undefined
  side: { page: () => Page | undefined }
}

/** One line of the keys that work now: of the pane, of the row of the inbox, then the others. */
export function keyBar({ mode, columns, row, side }: Bar, style: Style): string {
  const page = side.page()
  const own = page?.full ? [] : [...(mode === 'inbox' ? rowKeys(row()) : []), ...BARS[mode]]
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

/** What can be done about a row, the most likely first. */
function rowKeys(row: InboxRow | undefined): Keys {
  if (row === undefined) return []
  const open: Keys = [['Enter', 'open']]
  if (row.thread) return [...open, ['e', 'mark read'], ['r', 'reply'], ['o', 'terminal']]
  if (row.away) return [...open, ['e', 'seen']]
  const { need } = row
  const most = 'options' in need ? Math.min(9, need.options.length) : 0
  if (most > 0) return [[most === 1 ? '1' : `1-${most}`, 'answer'], ...open, ['r', 'in words']]
  if ('options' in need) return [['r', 'answer'], ...open, ['o', 'terminal']]
  const word = /^\/([a-z]+) /.exec(answerLine(row) ?? '')?.[1] ?? 'open'
  return word === 'open' ? [['o', 'terminal'], ...open] : [['r', word], ...open]
}
