import { existsSync } from 'node:fs'
import type { Bus } from '../bus/bus.ts'
import { isSent, lastSent, parseEvent, type SentEvent } from '../bus/history.ts'
import type { Home } from '../bus/home.ts'
import { messageAt } from '../bus/mail/inbox.ts'
import { markOf } from '../bus/mail/marks.ts'
import { nameNow, withNamesNow } from '../bus/names/names.ts'
import { hostOf } from '../message/address.ts'
import { messageJson } from '../message/json.ts'
import { parseAddress } from '../message/name.ts'
import { seenBy, whyWithheld } from '../session/withheld.ts'
import { readerHere } from './identity.ts'
import type { Ports } from './ports.ts'

/** `with`: only messages from or to this session. `since`: how old they may be, in milliseconds. */
export type HistoryRequest = {
  count: number
  with?: string | undefined
  from?: string | undefined
  since?: number | undefined
}

/** The last messages, read from the end of the log: the cost does not depend on its length. */
export function lastMessages(request: HistoryRequest, { bus }: Pick<Ports, 'bus'>): SentEvent[] {
  const { home, clock } = bus()
  const { count, since } = request
  return lastSent(
    home,
    count,
    wantedBy(request, home),
    since === undefined ? undefined : clock.now() - since,
  )
}

/** Whether a message is one that was asked for, by the names that sessions have now. */
function wantedBy(request: HistoryRequest, home: Home): (event: SentEvent) => boolean {
  const [either, sender] = [request.with, request.from].map(
    (name) => name && nameNow(home, parseAddress(name)),
  )
  return ({ from, to }) =>
    (either === undefined || from === either || to === either) &&
    (sender === undefined || from === sender)
}

/**
 * Why a message is held now; undefined where it never was, or was released or read since. The
 * history says what was when it was sent; of another machine nothing else is known here.
 */
export function heldNow({ id, to, ring, why }: SentEvent, { home }: Pick<Bus, 'home'>) {
  if (ring !== 'held') return undefined
  const isHeld = existsSync(home.unread(to, id)) && markOf(home, to, id)?.ring === 'held'
  return hostOf(to) !== undefined || isHeld ? String(why) : undefined
}

type ReaderPorts = Pick<Ports, 'bus' | 'env' | 'typed'>

/** How whoever reads here is shown events: where hooks do not run, without the text of others. */
export function eventsSeen(ports: ReaderPorts): (event: SentEvent) => SentEvent {
  const reader = readerHere(ports)
  const why = whyWithheld(reader, ports.bus())
  return (event) => {
    if (why === undefined || event.from === reader?.name) return event
    const { subject: _, ...others } = event
    return { ...others, preview: why }
  }
}

/**
 * How messages of the history are given as data: what every surface gives of a message, and its
 * event.
 */
export function historyJson(ports: ReaderPorts): (event: SentEvent) => Record<string, unknown> {
  const bus = ports.bus()
  const shown = eventsSeen(ports)
  const seen = seenBy(readerHere(ports), bus)
  return (sent) => {
    const event = shown(sent)
    const message = messageAt(bus.home.message(event.id), event.id, bus.home)
    // One that was pruned has no more than its beginning.
    if (message === undefined) return { ...event, timestamp: event.at, body: null }
    return { ...event, ...messageJson(seen(message)) }
  }
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
  const last = shown.at(-1)?.id
  await followFile(home.history, ports.onStop, (line) => {
    const told = parseEvent(line)
    const event = told && isSent(told) ? withNamesNow(home, told) : undefined
    if (event && event.id !== last && wantedBy(request, home)(event)) give(event)
  })
}
