import type { Bus } from '../bus/bus.ts'
import { messageAt } from '../bus/mail/inbox.ts'
import { unreadIds } from '../bus/mail/unread.ts'
import { markSeen } from '../chat/markSeen.ts'
import type { Message } from '../message/message.ts'
import { HUMAN } from '../message/name.ts'

/** The human's unread messages, each given once, and marked as read when they have been seen. */
export type HumanInbox = {
  /** What is unread and was not given before, oldest first. */
  fresh: () => Message[]
  /** The ids of what was given, is still unread and has not been seen, oldest first. */
  unseen: () => string[]
  /** The human has looked at these. Marks those of them that are unread. */
  seen: (ids: readonly string[]) => Promise<void>
}

/** Opens the human's inbox. Other readers of it are fine: who marks a message first has read it. */
export function openHumanInbox(bus: Bus): HumanInbox {
  const { home } = bus
  // What cannot be read as a message is left for `inbox human`, which sets it aside and says so.
  const read = (id: string) => messageAt(home.unread(HUMAN, id), id, home)
  let given = new Map<string, Message | undefined>()
  const looked = new Set<string>()
  return {
    fresh: () => {
      const ids = unreadIds(home, HUMAN)
      const before = given
      given = new Map(ids.map((id) => [id, before.has(id) ? before.get(id) : read(id)]))
      for (const id of looked) if (!given.has(id)) looked.delete(id)
      return ids.flatMap((id) => (before.has(id) ? [] : (given.get(id) ?? [])))
    },
    unseen: () => [...given].flatMap(([id, message]) => (message && !looked.has(id) ? [id] : [])),
    seen: async (ids) => {
      const messages = ids.flatMap((id) => (looked.has(id) ? [] : (given.get(id) ?? [])))
      if (messages.length === 0) return
      for (const { id } of messages) looked.add(id)
      try {
        await markSeen(bus, messages)
      } catch (error) {
        // They stay unread, and are marked at the next look.
        for (const { id } of messages) looked.delete(id)
        throw error
      }
    },
  }
}
