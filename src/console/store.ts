import type { Entry, MessageEntry, NoticeEntry } from '../chat/live/entry.ts'
import { isoTime } from '../message/time.ts'
import { arrive, MAX_ENTRIES, note, type Room } from './model/room.ts'

/** Where the room is shown. */
export type Display = {
  /** Something of the room is other than before. */
  changed: () => void
  /** An entry was added. */
  added: (entry: Entry) => void
  /** A message for the human has come. */
  bell: () => void
}

/** The one place that has the room as it is now. */
export type Store = {
  room: () => Room
  update: (change: (room: Room) => Room) => void
  /** Adds what came by itself. */
  arrive: (entry: Entry) => void
  /** Adds what the human has asked for or said. */
  note: (entry: Entry) => void
  /** Adds a notice, with the time of now. */
  tell: (tone: NoticeEntry['tone'], text: string, about?: string) => void
  /** Whether a message of this id was ever added, as far back as the room reaches. */
  has: (id: string) => boolean
}

export function openStore(first: Room, display: Display, now: () => number): Store {
  let room = first
  let ids = new Set<string>()
  const set = (next: Room) => {
    if (next === room) return
    room = next
    display.changed()
  }
  const add = (how: typeof arrive, entry: Entry) => {
    if (entry.type === 'message') ids.add(entry.id)
    set(how(room, entry))
    if (ids.size > 2 * MAX_ENTRIES) ids = new Set(messagesOf(room).map(({ id }) => id))
    display.added(entry)
  }
  const store: Store = {
    room: () => room,
    update: (change) => set(change(room)),
    arrive: (entry) => add(arrive, entry),
    note: (entry) => add(note, entry),
    tell: (tone, text, about) => {
      const at = isoTime(now())
      const entry: Entry = { type: 'notice', at, tone, text, ...(about ? { about } : {}) }
      if (tone === 'event') store.arrive(entry)
      else store.note(entry)
    },
    has: (id) => ids.has(id),
  }
  return store
}

function messagesOf(room: Room): MessageEntry[] {
  return room.entries.filter((entry) => entry.type === 'message')
}
