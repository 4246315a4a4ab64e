import { decodeKittyPrintable, type KeyId, matchesKey } from '@earendil-works/pi-tui'

/** The keys that are the room's own while somebody types; all others are the input box's. */
const KEYS = {
  interrupt: 'ctrl+c',
  end: 'ctrl+d',
  tab: 'tab',
  up: 'pageUp',
  down: 'pageDown',
  redraw: 'ctrl+l',
  earlier: 'ctrl+p',
  later: 'ctrl+n',
} as const satisfies Record<string, KeyId>

/** The keys of a cursor in the inbox and among the messages, besides those letters. */
const LIST_KEYS = {
  next: 'down',
  previous: 'up',
  first: 'home',
  last: 'end',
  open: 'enter',
  back: 'escape',
} as const satisfies Record<string, KeyId>

const LETTERS = {
  j: 'next',
  k: 'previous',
  g: 'first',
  G: 'last',
  e: 'read',
  r: 'reply',
  y: 'copy',
  o: 'terminal',
  f: 'filter',
  '/': 'filter',
  i: 'write',
  ':': 'write',
  q: 'quit',
  '?': 'help',
} as const

export type RoomKey = keyof typeof KEYS
export type ListKey = keyof typeof LIST_KEYS | (typeof LETTERS)[keyof typeof LETTERS]

export function roomKey(data: string): RoomKey | undefined {
  return (Object.keys(KEYS) as RoomKey[]).find((key) => matchesKey(data, KEYS[key]))
}

export function listKey(data: string): ListKey | undefined {
  const letter = letterOf(data)
  if (Object.hasOwn(LETTERS, letter)) return LETTERS[letter as keyof typeof LETTERS]
  const keys = Object.keys(LIST_KEYS) as (keyof typeof LIST_KEYS)[]
  return keys.find((key) => matchesKey(data, LIST_KEYS[key]))
}

/** What a key types, however the terminal says so. */
export function letterOf(data: string): string {
  return decodeKittyPrintable(data) ?? data
}

/** A click or a turn of the wheel; rows and columns count from 0. */
export type Mouse = { what: 'click' | 'up' | 'down'; row: number; column: number }

/**
 * Mouse reports in SGR form (DECSET 1006): `ESC [ < button ; column ; row M`, `m` for the release.
 */
export function mouseOf(data: string): Mouse | 'other' | undefined {
  const [, button, column, row, end] = /^\u001b\[<(\d+);(\d+);(\d+)([Mm])$/.exec(data) ?? []
  if (button === undefined) return undefined
  const what = ({ 0: 'click', 64: 'up', 65: 'down' } as const)[button]
  if (what === undefined || end === 'm') return 'other'
  return { what, row: Number(row) - 1, column: Number(column) - 1 }
}

/** Typed or pasted text without what a terminal would obey. The marks around a paste stay. */
export function withoutControls(data: string): string {
  const paste = /^\u001b\[200~([\s\S]*)\u001b\[201~$/.exec(data)?.[1]
  if (paste === undefined) return data.length === 1 && /[\u0080-\u009f]/.test(data) ? '' : data
  return `\u001b[200~${paste.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '')}\u001b[201~`
}
