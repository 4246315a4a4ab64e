import type { Bus } from '../bus/bus.ts'
import { markSeen } from '../chat/markSeen.ts'
import { openUnread } from '../feed/threads.ts'
import type { Message } from '../message/message.ts'

/** The human's unread messages, each given once, and marked as read when they have been seen. */
export type HumanInbox = {
  /** What is unread and was not given before, oldest first. */
  fresh: () => Message[]
  /** What was given, is still unread and has not been seen, oldest first. */
  unread: () => Message[]
  /** The ids of what was given, is still unread and has not been seen, oldest first. */
  unseen: () => string[]
  /** The human has looked at these. Marks those of them that are unread. */
  seen: (ids: readonly string[]) => Promise<void>
}

/** Opens the human's inbox. Other readers of it are fine: who marks a message first has read it. */
export function openHumanInbox(bus: Bus): HumanInbox {
  const unread = openUnread(bus)
  let given = new Map<string, Message>()
  const looked = new Set<string>()
  return {
    fresh: () => {
      const before = given
      given = new Map(unread().map((message) => [message.id, message]))
      for (const id of looked) if (!given.has(id)) looked.delete(id)
      return [...given.values()].filter(({ id }) => !before.has(id))
    },
    unread: () => [...given.values()].filter(({ id }) => !looked.has(id)),
    unseen: () => [...given.keys()].filter((id) => !looked.has(id)),
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
