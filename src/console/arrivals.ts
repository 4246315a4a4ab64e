import type { Bus } from '../bus/bus.ts'
import { type HistoryEvent, isSent, type SentEvent } from '../bus/history.ts'
import { messageAt } from '../bus/mail/inbox.ts'
import { markOf } from '../bus/mail/marks.ts'
import { heldNow } from '../chat/history.ts'
import type { Entry, MessageEntry } from '../chat/live/entry.ts'
import { entryOfEvent, entryOfMessage, entryOfSent, stageOf } from '../chat/live/fromEvent.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'
import { visibleLine } from '../message/visible.ts'
import type { HumanInbox } from './humanInbox.ts'
import { completedBy } from './model/completed.ts'
import { advance, change, type Room, rename } from './model/room.ts'
import type { Store } from './store.ts'

/** Puts what happens in the home into the room, each message once. */
export type Arrivals = {
  past: (events: readonly SentEvent[]) => void
  event: (event: HistoryEvent) => void
  /** Takes in what is new in the human's inbox. */
  inbox: () => void
}

/** At the opening, at most so many unread messages are taken in; the rest is for `inbox human`. */
const MAX_UNREAD = 200

/** `onHuman` learns of each message from or to the human that comes; of none that was there. */
export function openArrivals(
  bus: Bus,
  store: Store,
  humanInbox: HumanInbox,
  onHuman: (entry: MessageEntry) => void,
): Arrivals {
  const come = (entry: MessageEntry) => {
    if (store.has(entry.id)) return
    if (entry.from === HUMAN) store.note(entry)
    else store.arrive(entry)
    if (entry.from === HUMAN || entry.to === HUMAN) onHuman(entry)
  }
  const inbox = () => {
    for (const message of humanInbox.fresh()) {
      come(entryOf(bus, message))
      const done = completedBy(message)
      if (done !== undefined) store.arrive(noticeOf(message, done))
    }
  }
  return {
    past: (events) => begin(bus, store, humanInbox, events),
    inbox,
    event: (event) => {
      const stage = stageOf(event)
      if (stage) {
        if (stage.stage === 'read') store.update((room) => freed(room, stage.ids))
        return store.update((room) => advance(room, stage.ids, stage.stage))
      }
      if (event.event === 'renamed')
        store.update((room) => rename(room, String(event.from), String(event.to)))
      if (event.event === 'resumed') store.update((room) => freed(room, [String(event.id)]))
      if (!isSent(event)) {
        const entry = entryOfEvent(event)
        // Who comes and goes is nothing new to look at.
        if (entry?.type === 'notice' && entry.passing) store.note(entry)
        else if (entry) store.arrive(entry)
        return
      }
      if (event.to === HUMAN) inbox()
      come(entryOfPast(bus, event))
      noteAnswers(store, [event])
    },
  }
}

/** Messages that were released, or read all the same. */
function freed(room: Room, ids: readonly string[]): Room {
  return change(room, ids, ({ held }) => (held === undefined ? {} : { held: undefined }))
}

function noticeOf({ timestamp, from }: Message, text: string): Entry {
  return { type: 'notice', at: timestamp, tone: 'event', text, about: visibleLine(from) }
}

/**
 * What was there before, in its order: the last messages, and what the human has not read. The mark
 * stands before the first of these.
 */
function begin(bus: Bus, store: Store, humanInbox: HumanInbox, events: readonly SentEvent[]): void {
  const unread = humanInbox.fresh()
  const shown = unread.slice(-MAX_UNREAD)
  const byId = new Map(events.map((event) => [event.id, () => entryOfPast(bus, event)]))
  for (const message of shown) byId.set(message.id, () => entryOf(bus, message))
  const done = doneBefore(bus, events, shown)
  const first = shown[0]?.id
  let isNew = false
  for (const id of [...byId.keys()].sort()) {
    const entry = byId.get(id)?.()
    isNew ||= id === first
    if (entry && isNew) store.arrive(entry)
    else if (entry) store.note(entry)
    const notice = done.get(id)
    if (notice) store.note(notice)
  }
  noteAnswers(store, events)
  const left = unread.length - shown.length
  if (left > 0) store.tell('event', `${left} older unread messages: agent-chat inbox human`)
}

/** What workers have answered to the human, by the id of the answer. */
function doneBefore(bus: Bus, events: readonly SentEvent[], unread: readonly Message[]) {
  const past = events
    .filter(({ to, kind }) => to === HUMAN && (kind === 'reply' || kind === 'result'))
    .flatMap(({ id }) => messageAt(bus.home.message(id), id, bus.home) ?? [])
  return new Map(
    [...past, ...unread].flatMap((message): [string, Entry][] => {
      const done = completedBy(message)
      return done === undefined ? [] : [[message.id, noticeOf(message, done)]]
    }),
  )
}

/** What the human has answered waits for them no more. To ask back is no answer. */
function noteAnswers(store: Store, events: readonly SentEvent[]): void {
  const answered = events.flatMap(({ from, kind, in_reply_to: id }) =>
    from === HUMAN && kind !== 'question' && typeof id === 'string' ? [id] : [],
  )
  store.update((room) => change(room, answered, () => ({ answered: true })))
}

/** What the human wrote or got is shown with its body; of the rest, the history has enough. */
function entryOfPast(bus: Bus, event: SentEvent): MessageEntry {
  if (event.from !== HUMAN && event.to !== HUMAN) return asNow(bus, event)
  const message = messageAt(bus.home.message(event.id), event.id, bus.home)
  return message ? entryOf(bus, message) : entryOfSent(event)
}

/** What the history calls held may have been released or read since. */
function asNow(bus: Bus, event: SentEvent): MessageEntry {
  const { held: _, ...entry } = entryOfSent(event)
  const why = heldNow(event, bus)
  return why === undefined ? entry : { ...entry, held: visibleLine(why) }
}

function entryOf({ home }: Bus, message: Message): MessageEntry {
  return entryOfMessage(message, markOf(home, message.to, message.id))
}
