import type { HistoryEvent } from '../bus/history.ts'
import { failureOf } from '../chat/failure.ts'
import { type Place, placeText } from '../chat/live/past.ts'
import { rowOf } from './rows.ts'

/** An event as a tab gets it; its id is its place in the history. */
export function frameOf(event: HistoryEvent, place: Place): string {
  // Names are those of now: all of what was shown has other ones.
  if (event.event === 'renamed') return frame('reset', null)
  const row = rowOf(event)
  return row === undefined ? '' : frame('row', row, placeText(place))
}

/** What went wrong, as a sentence for the page. */
export function sayingOf(error: unknown): string {
  const { message, hint } = failureOf(error)
  return `${message} (${hint})`
}

export function frame(event: string, data: unknown, id?: string): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** A sign of life, and nothing else: the same bytes for all. */
export const BEAT = Buffer.from(frame('beat', null))
