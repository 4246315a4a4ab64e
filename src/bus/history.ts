import { timeOfId } from '../message/id.ts'
import type { Message } from '../message/message.ts'
import { priorityOf } from '../message/priority.ts'
import { progressIn } from '../message/task.ts'
import { isoTime } from '../message/time.ts'
import { appendLine } from '../system/files.ts'
import { linesFromEnd } from '../system/lines.ts'
import type { Bus } from './bus.ts'
import type { Home } from './home.ts'
import { nameAt, type Rename, readRenames } from './names/names.ts'

/** The most characters of a body that the history keeps. */
const PREVIEW_LENGTH = 200

/** One line of the history. `at` (ISO 8601) is when it happened; the rest depends on `event`. */
export type HistoryEvent = { at: string; event: string; [field: string]: unknown }

/** The event of a message that was sent: its header and the beginning of its body. */
export type SentEvent = HistoryEvent & {
  event: 'sent'
  id: string
  from: string
  to: string
  kind: string
  thread: string
  chain: string
  hops: number
  bytes: number
  preview: string
  subject?: string
  in_reply_to?: string
  priority?: 'urgent' | 'quiet'
  /** Of a note that is a state of the task that it answers. */
  progress?: string
  /** Why it did not ring when it was sent, where it did not. */
  ring?: 'held' | 'quiet'
  why?: string
}

/** Appends one event, with the time of now. */
export function record(
  bus: Pick<Bus, 'home' | 'clock'>,
  event: string,
  fields: Record<string, unknown>,
): void {
  appendLine(bus.home.history, JSON.stringify({ at: isoTime(bus.clock.now()), event, ...fields }))
}

/** What the history keeps of a message that was sent. */
export function sentFields(message: Message): Record<string, unknown> {
  return {
    id: message.id,
    from: message.from,
    to: message.to,
    kind: message.kind,
    thread: message.thread,
    in_reply_to: message.inReplyTo,
    subject: message.subject,
    chain: message.chain,
    hops: message.hops,
    priority: priorityOf(message),
    progress: progressIn(message),
    bytes: Buffer.byteLength(message.body),
    preview: beginningOf(message.body),
  }
}

/** The first characters of a body. A pair of surrogates counts once; text without any is faster. */
function beginningOf(body: string): string {
  const units = body.slice(0, PREVIEW_LENGTH * 2)
  return /[\ud800-\udbff]/.test(units)
    ? [...units].slice(0, PREVIEW_LENGTH).join('')
    : units.slice(0, PREVIEW_LENGTH)
}

/**
 * The events from the newest to the oldest, read only as far as asked, with the names that sessions
 * have now. A line that a crash cut is passed over. `mentioning`: only those in which this id
 * stands somewhere; the others are not even parsed, which takes most of the time.
 */
export function* eventsFromEnd(
  home: Pick<Home, 'history' | 'names'>,
  mentioning?: string,
): Generator<HistoryEvent> {
  const renames = readRenames(home)
  for (const line of linesFromEnd(home.history)) {
    if (mentioning !== undefined && !line.includes(mentioning)) continue
    const event = eventIn(line, renames)
    if (event) yield event
  }
}

/**
 * The events that mention a message, from the newest back to the moment its id was made. Reading
 * does not end at its `sent`: another process may note a delivery before the sender notes that.
 */
export function* eventsAbout(
  home: Pick<Home, 'history' | 'names'>,
  id: string,
): Generator<HistoryEvent> {
  const [renames, made] = [readRenames(home), isoTime(timeOfId(id))]
  let sent = false
  for (const line of linesFromEnd(home.history)) {
    if (!line.includes(id)) {
      if (sent && isBefore(line, made)) return
      continue
    }
    const event = eventIn(line, renames)
    if (!event) continue
    // One that doctor added later may be behind those that followed it.
    sent ||= event.event === 'sent' && event.id === id && event.mended !== true
    yield event
  }
}

/** One line of the log as an event, with the names that sessions have now. */
function eventIn(line: string, renames: readonly Rename[]): HistoryEvent | undefined {
  const event = parseEvent(line)
  return event && renames.length > 0 ? withEventNames(renames, event) : event
}

/**
 * The last `count` messages that are `wanted`, oldest first. `since`: how old they may be, in
 * milliseconds since 1970.
 */
export function lastSent(
  home: Pick<Home, 'history' | 'names'>,
  count: number,
  wanted: (event: SentEvent) => boolean = () => true,
  since = Number.NEGATIVE_INFINITY,
): SentEvent[] {
  const found: SentEvent[] = []
  if (count === 0) return found
  for (const event of eventsFromEnd(home)) {
    if (Date.parse(event.at) < since) break
    if (!isSent(event) || !wanted(event)) continue
    found.push(event)
    if (found.length === count) break
  }
  return found.reverse()
}

/** One line of the log as an event, or undefined for anything else. */
export function parseEvent(line: string): HistoryEvent | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isEvent(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether a line of the log is of a time before this one (ISO 8601), by what each begins with. */
function isBefore(line: string, time: string): boolean {
  const at = /^\{"at":"([^"]+)"/.exec(line)?.[1]
  return at !== undefined && at < time
}

export function isSent(event: HistoryEvent): event is SentEvent {
  return (
    event.event === 'sent' &&
    [event.id, event.from, event.to, event.preview].every((field) => typeof field === 'string')
  )
}

/** Where an event names a session. What tells of the names themselves keeps them. */
const NAMING = ['from', 'to', 'by', 'name'] as const

function withEventNames(renames: readonly Rename[], event: HistoryEvent): HistoryEvent {
  if (event.event === 'renamed') return event
  const time = isSent(event) ? timeOfId(event.id) : Date.parse(event.at)
  const named = NAMING.flatMap((field) => {
    const name = event[field]
    return typeof name === 'string' ? [[field, nameAt(renames, name, time)]] : []
  })
  return { ...event, ...Object.fromEntries(named) }
}

function isEvent(value: unknown): value is HistoryEvent {
  return (
    typeof value === 'object' &&
    value !== null &&
    'event' in value &&
    typeof value.event === 'string' &&
    'at' in value
  )
}
