import { type KeyId, matchesKey } from '@earendil-works/pi-tui'

/** The keys that are the room's own; all others are the input box's. */
const KEYS = {
  interrupt: 'ctrl+c',
  end: 'ctrl+d',
  tab: 'tab',
  up: 'pageUp',
  down: 'pageDown',
  redraw: 'ctrl+l',
} as const satisfies Record<string, KeyId>

export type RoomKey = keyof typeof KEYS

export function roomKey(data: string): RoomKey | undefined {
  return (Object.keys(KEYS) as RoomKey[]).find((key) => matchesKey(data, KEYS[key]))
}

/** Typed or pasted text without what a terminal would obey. The marks around a paste stay. */
export function withoutControls(data: string): string {
  const paste = /^\u001b\[200~([\s\S]*)\u001b\[201~$/.exec(data)?.[1]
  if (paste === undefined) return data.length === 1 && /[\u0080-\u009f]/.test(data) ? '' : data
  return `\u001b[200~${paste.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '')}\u001b[201~`
}
