import { lstatSync } from 'node:fs'
import { idOfFile } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { isOpenTask, taskFrom } from '../../message/task.ts'
import { namesIn } from '../../system/files.ts'
import type { Bus } from '../bus.ts'
import { eventsFromEnd, isSent, type SentEvent } from '../history.ts'
import type { Home } from '../home.ts'
import { readThread } from '../index/threads.ts'
import { messageAt } from '../mail/inbox.ts'
import { inboxNames, writtenAt } from '../mail/inboxes.ts'
import { unreadIds } from '../mail/unread.ts'
import { peers, queuedIds } from '../remote/peers.ts'

/** What pruning looks at in a message. `at` is in milliseconds since 1970. */
export type PruneFacts = { id: string; to: string; kind: string; thread: string; at: number }

/** A conversation that is over, and may go: its messages, and the bytes of their files. */
export type Prunable = { thread: string; messages: PruneFacts[]; bytes: number }

/** Why conversations are kept, counted: the first reason that holds for one. */
export type Kept = Record<'young' | 'unread' | 'task' | 'question' | 'unreadable', number>

/**
 * The conversations of which every message is older than `before` (milliseconds since 1970) and
 * read, with no open task and no question without its answer. A conversation goes as a whole or
 * stays as a whole. Lists the archive, and reads what may hold it open.
 */
export function findPrunable(bus: Bus, before: number): { prunable: Prunable[]; kept: Kept } {
  const kept: Kept = { young: 0, unread: 0, task: 0, question: 0, unreadable: 0 }
  const unread = new Set([
    ...inboxNames(bus.home).flatMap((name) => unreadIds(bus.home, name)),
    ...peers(bus.home).flatMap(({ host }) => queuedIds(bus.home, host)),
  ])
  const prunable: Prunable[] = []
  for (const [thread, messages] of threadsOf(bus.home, kept)) {
    const why = reasonToKeep(bus.home, messages, before, unread)
    if (why) kept[why] += 1
    else prunable.push({ thread, messages, bytes: sizeOf(bus.home, messages) })
  }
  return { prunable, kept }
}

function reasonToKeep(
  home: Home,
  messages: PruneFacts[],
  before: number,
  unread: ReadonlySet<string>,
): keyof Kept | undefined {
  if (messages.some(({ at }) => at >= before)) return 'young'
  if (messages.some(({ id }) => unread.has(id))) return 'unread'
  if (messages.every(({ kind }) => kind !== 'task' && kind !== 'question')) return undefined
  const thread = readThread(home, messages[0]?.thread ?? '').messages
  if (
    thread.some((message) => message.kind === 'task' && isOpenTask(taskFrom(message, thread).state))
  )
    return 'task'
  return thread.some((message) => message.kind === 'question' && !isAnswered(message, thread))
    ? 'question'
    : undefined
}

function isAnswered(question: Message, thread: readonly Message[]): boolean {
  return thread.some(({ inReplyTo, from }) => inReplyTo === question.id && from === question.to)
}

/** The archive by conversation. Only what the history does not know is opened. */
function threadsOf(home: Home, kept: Kept): Map<string, PruneFacts[]> {
  const known = new Map<string, SentEvent>()
  for (const event of eventsFromEnd(home)) if (isSent(event)) known.set(event.id, event)
  const threads = new Map<string, PruneFacts[]>()
  for (const file of namesIn(home.messages)) {
    if (file.startsWith('.')) continue
    const facts = factsOf(home, file, known)
    if (facts === undefined) kept.unreadable += 1
    else threads.set(facts.thread, [...(threads.get(facts.thread) ?? []), facts])
  }
  return threads
}

function factsOf(
  home: Home,
  file: string,
  known: ReadonlyMap<string, SentEvent>,
): PruneFacts | undefined {
  const id = idOfFile(file)
  if (id === undefined) return undefined
  const path = home.message(id)
  const told = known.get(id) ?? messageAt(path, id, home)
  return told && { id, to: told.to, kind: told.kind, thread: told.thread, at: writtenAt(id, path) }
}

function sizeOf(home: Home, messages: PruneFacts[]): number {
  return messages.reduce(
    (sum, { id }) => sum + (lstatSync(home.message(id), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
