import { randomUUID } from 'node:crypto'
import type { Bus } from '../bus/bus.ts'
import type { Home } from '../bus/home.ts'
import { inHome } from '../bus/homeError.ts'
import { taskTitle } from '../chat/tasks/task.ts'
import type { Message } from '../message/message.ts'
import { isoTime } from '../message/time.ts'
import { makeDirectory, replaceFileSoon } from '../system/files.ts'
import { readJson } from '../system/json.ts'
import { owesAnswer } from './turn/prompt.ts'

/**
 * A conversation of a worker, by the client's session id. An `ask` one goes on with every question;
 * a `task` one is about the task `message` alone.
 */
export type Conversation = {
  id: string
  kind: 'ask' | 'task'
  /** The first message of it, and what that is about. */
  message: string
  title: string
  /** ISO 8601. */
  began: string
  used: string
  /** Messages answered in it. */
  answers: number
  /** The hash of the definition that it began under. */
  definition: string
}

/** `current`: what an `ask` goes on with. Oldest first. */
export type Conversations = { current: string | null; all: Conversation[] }

/** So many are kept; the client keeps its own records longer or shorter. */
const MAX_KEPT = 200

export function readConversations(
  home: Pick<Home, 'workerConversations'>,
  name: string,
): Conversations {
  const value = readJson(home.workerConversations(name))
  if (typeof value !== 'object' || value === null || !('all' in value) || !Array.isArray(value.all))
    return { current: null, all: [] }
  return value as Conversations
}

/**
 * The conversation in which a message is answered: for a task its own; for anything else the one
 * that the message names, or the current one where that began under this definition. Undefined
 * where the message names one that there is not. `begun`: whether the client may know it already.
 */
export function conversationFor(
  bus: Bus,
  name: string,
  message: Message,
  definition: string,
): { conversation: Conversation; begun: boolean } | undefined {
  const { current, all } = readConversations(bus.home, name)
  // In an answer it says where that came from.
  const wanted = owesAnswer(message) ? message.extra.conversation : undefined
  const known =
    message.kind === 'task'
      ? all.findLast(({ message: id }) => id === message.id)
      : typeof wanted === 'string'
        ? all.findLast(({ id }) => wanted.length >= 4 && id.startsWith(wanted))
        : all.find((one) => one.id === current && one.definition === definition)
  if (known) return { conversation: known, begun: true }
  if (message.kind !== 'task' && typeof wanted === 'string') return undefined
  return { conversation: beginConversation(bus, name, message, definition), begun: false }
}

/** A new one for this message, in the place of `instead` where the client does not know that. */
export function beginConversation(
  bus: Bus,
  name: string,
  message: Message,
  definition: string,
  instead?: Conversation,
): Conversation {
  const { current, all } = readConversations(bus.home, name)
  const now = isoTime(bus.clock.now())
  const kind = message.kind === 'task' ? 'task' : 'ask'
  const conversation: Conversation = {
    ...{ id: randomUUID(), kind, message: message.id, title: taskTitle({ message }, 80) },
    ...{ began: now, used: now, answers: 0, definition },
  }
  const others = all.filter(({ id }) => id !== instead?.id)
  const isCurrent = kind === 'ask' && (instead === undefined || instead.id === current)
  write(bus, name, {
    current: isCurrent ? conversation.id : current,
    all: [...others, conversation],
  })
  return conversation
}

/** One message more was answered in it. `full`: it has no room for another. */
export function noteUse(bus: Bus, name: string, id: string, full: boolean): void {
  const { current, all } = readConversations(bus.home, name)
  const used = isoTime(bus.clock.now())
  const next = all.map((one) => (one.id === id ? { ...one, used, answers: one.answers + 1 } : one))
  write(bus, name, { current: full && current === id ? null : current, all: next })
}

function write({ home }: Bus, name: string, { current, all }: Conversations): void {
  const kept = all.filter(({ id }, at) => id === current || at >= all.length - MAX_KEPT)
  inHome(home, () => {
    makeDirectory(home.workers)
    replaceFileSoon(
      home.workerConversations(name),
      `${JSON.stringify({ current, all: kept }, null, 1)}\n`,
    )
  })
}
