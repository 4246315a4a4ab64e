import { isSent, lastSent, parseEvent, type SentEvent } from '../bus/history.ts'
import { messageAt } from '../bus/mail/inbox.ts'
import { nameNow, withNamesNow } from '../bus/names/names.ts'
import { messageJson } from '../message/json.ts'
import { parseName } from '../message/name.ts'
import type { Ports } from './ports.ts'

/** `with`: only messages from or to this session. */
export type HistoryRequest = { count: number; with?: string | undefined }

/** The last messages, read from the end of the log: the cost does not depend on its length. */
export function lastMessages(request: HistoryRequest, { bus }: Pick<Ports, 'bus'>): SentEvent[] {
  const { home } = bus()
  return lastSent(home, request.count, request.with && nameNow(home, parseName(request.with)))
}

/** A message of the history as data: what every surface gives of a message, and its event. */
export function historyJson(
  event: SentEvent,
  { bus }: Pick<Ports, 'bus'>,
): Record<string, unknown> {
  const { home } = bus()
  const message = messageAt(home.message(event.id), event.id, home)
  // One that was pruned has no more than its beginning.
  if (message === undefined) return { ...event, timestamp: event.at, body: null }
  return { ...event, ...messageJson(message) }
}

/** Gives the last messages, and each later one, until the process is asked to end. */
export async function followMessages(
  request: HistoryRequest,
  ports: Pick<Ports, 'bus' | 'onStop'>,
  give: (event: SentEvent) => void,
): Promise<void> {
  const shown = lastMessages(request, ports)
  const { followFile } = await import('../system/follow.ts')
  const { home } = ports.bus()
  for (const event of shown) give(event)
  const wanted = ({ from, to }: SentEvent) => {
    const name = request.with && nameNow(home, parseName(request.with))
    return name === undefined || from === name || to === name
  }
  const last = shown.at(-1)?.id
  await followFile(home.history, ports.onStop, (line) => {
    const told = parseEvent(line)
    const event = told && isSent(told) ? withNamesNow(home, told) : undefined
    if (event && event.id !== last && wanted(event)) give(event)
  })
}
