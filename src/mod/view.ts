import type { RoomNow } from '../chat/room/now.ts'
import type { Engine } from './engine.ts'

export const VIEW = { plugin: 'agent-chat-room', key: 'view' } as const
export const ASKED = { plugin: 'agent-chat-room', key: 'asked' } as const

/** What is drawn: what the command line told last, and when (Unix time in milliseconds). */
export type View = RoomNow & { at: number; peer: string | null }

export async function viewOf($: Engine): Promise<View | undefined> {
  const { value } = await $.state.get(VIEW)
  return value as View | undefined
}

/** How long ago, for people: `now`, `3 min`, `2 h`, `4 d`. */
export function ago(at: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000)
  if (!(minutes >= 1)) return 'now'
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`
}

/** A text of so many cells at the most, counted as characters. */
export function cut(text: string, length: number): string {
  const chars = [...text]
  return chars.length > length ? `${chars.slice(0, Math.max(1, length - 1)).join('')}…` : text
}
