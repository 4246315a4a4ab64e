import { isUtf8 } from 'node:buffer'
import { rmSync } from 'node:fs'
import { CodedError } from '../errors.ts'
import { formatId } from '../message/id.ts'
import { MAX_BODY_BYTES, type Message } from '../message/message.ts'
import { priorityOf } from '../message/priority.ts'
import { serializeMessage } from '../message/serialize.ts'
import { isoTime } from '../message/time.ts'
import { isErrno } from '../system/errno.ts'
import { faultPoint } from '../system/fault.ts'
import { removeFile, syncDirectory, writeNewFile } from '../system/files.ts'
import type { ProcessRef } from '../system/processes.ts'
import { ownPid } from '../system/user.ts'
import { ring } from './bell.ts'
import type { Bus } from './bus.ts'
import { dropMark, type HeldMark, markHeld } from './held.ts'
import { record, sentFields } from './history.ts'
import { ensureHome, ensureInbox, homeError } from './home.ts'
import { forgetInIndexes, noteInIndexes, noteTaskEnd } from './indexes.ts'
import { nameNow, type Rename, readRenames, withNamesNow } from './names.ts'
import { linkOrCopy, publish } from './publish.ts'
import { moveUnread } from './renameMove.ts'

/** A message before it has an id. `chain` and `hops` come from what set it off; without them it starts a chain of its own. */
export type Draft = {
  from: string
  to: string
  kind: string
  body: string
  subject?: string
  inReplyTo?: Answered
  chain?: string
  hops?: number
  /** Fields beyond those that every message has. */
  extra?: Message['extra']
  /** Why it does not ring, where it does not. */
  silent?: Silent
}

/** What is known of the message that is answered; its kind and recipient tell whether the answer ends a task. */
export type Answered = Pick<Message, 'id' | 'thread'> & Partial<Pick<Message, 'kind' | 'to'>>

/** What does not ring, and why: over a cap, for the next look, or because the process that waits for it sees it come. */
export type Silent = { ring: 'held' | 'quiet' | 'awaited'; why: string; waiter?: ProcessRef }

type Mark = Omit<HeldMark, 'chain' | 'at'>

/** A message that was sent, with the name that its recipient has by then. `warning` says what did not work after that moment; nothing of it makes the message less sent. */
export type Sent = { message: Message; warning?: string }

/**
 * Sends a message: written and synced under a temporary name, published in the archive, linked into the inbox (from then on
 * it is sent), the directory synced, the history appended, the bell rung. The inbox's owner is not checked here.
 * Throws `HOME_UNUSABLE`, or what the system says, for a message that is not sent.
 */
export function sendMessage(bus: Bus, draft: Draft): Sent {
  try {
    const renames = readRenames(bus.home)
    const message = archive(bus, draft)
    deliver(bus, message)
    const to = nameOfRecipient(bus, message, renames)
    return { message: to === message.to ? message : { ...message, to }, ...afterSent(bus, message, to, draft) }
  } catch (error) {
    throw homeError(bus.home, error)
  }
}

/** Throws `BODY_EMPTY`, `BODY_TOO_LONG` or `BODY_NOT_TEXT` for bytes that cannot be a body; else gives the text. */
export function parseBody(bytes: Buffer): string {
  if (bytes.length > MAX_BODY_BYTES) {
    throw new CodedError(
      'BODY_TOO_LONG',
      `the message has more than the ${MAX_BODY_BYTES} bytes that a message holds at most`,
      {
        hint: 'write it to a file and send the path',
      },
    )
  }
  const text = decode(bytes)
  if (text !== undefined && text.trim() === '') {
    throw new CodedError('BODY_EMPTY', 'the message is empty', { hint: 'agent-chat send @name "what you want to say"' })
  }
  if (text !== undefined && !bytes.includes(0)) return text
  throw new CodedError('BODY_NOT_TEXT', 'the message is not UTF-8 text, or holds a NUL byte', {
    hint: 'send the path of a binary file, not the file itself',
  })
}

function decode(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

function archive(bus: Bus, draft: Draft): Message {
  for (;;) {
    const message = complete(draft, bus.clock.micros())
    const temporary = `${bus.home.messages}/.${message.id}.${ownPid()}.tmp`
    writeTemporary(bus, temporary, serializeMessage(message))
    faultPoint('send:written')
    try {
      if (!publishMarked(bus, message, temporary, draft.silent ?? urgentMark(message))) continue
      faultPoint('send:published')
      return message
    } finally {
      removeFile(temporary)
    }
  }
}

/** Publishes a message; false where another of this sender has the same microsecond. What rings otherwise than others is marked before it can be delivered. */
function publishMarked(bus: Bus, message: Message, temporary: string, mark: Mark | undefined): boolean {
  if (mark) {
    const at = isoTime(bus.clock.now())
    markHeld(bus.home, message.to, message.id, { ...mark, chain: message.chain, at })
  }
  if (publish(temporary, bus.home.message(message.id))) return true
  if (mark) dropMark(bus.home, message.to, message.id)
  return false
}

/** Doorbells look at marks alone: the header would need a parser. */
function urgentMark(message: Message): Mark | undefined {
  return priorityOf(message) === 'urgent' ? { ring: 'urgent', why: 'sent --urgent' } : undefined
}

function complete(draft: Draft, micros: number): Message {
  const id = formatId(micros, draft.from)
  return {
    id,
    from: draft.from,
    to: draft.to,
    timestamp: isoTime(Math.floor(micros / 1000)),
    kind: draft.kind,
    thread: draft.inReplyTo?.thread ?? id,
    ...(draft.inReplyTo === undefined ? {} : { inReplyTo: draft.inReplyTo.id }),
    ...(draft.subject === undefined ? {} : { subject: draft.subject }),
    chain: draft.chain ?? id,
    hops: draft.hops ?? 0,
    body: draft.body,
    extra: draft.extra ?? {},
  }
}

function writeTemporary(bus: Bus, path: string, text: string): void {
  try {
    writeNewFile(path, text)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    ensureHome(bus.home)
    writeNewFile(path, text)
  }
}

/** A message whose delivery failed, and not by a crash, was refused: nothing of it stays for `doctor` to deliver later. */
function deliver(bus: Bus, message: Message): void {
  try {
    // Whoever is woken by the inbox finds the conversation whole.
    noteInIndexes(bus.home, message)
    faultPoint('send:indexed')
    linkIntoInbox(bus, message)
  } catch (error) {
    attempt(() => rmSync(bus.home.message(message.id), { force: true }))
    attempt(() => forgetInIndexes(bus.home, message))
    throw error
  }
  faultPoint('send:linked')
}

function linkIntoInbox(bus: Bus, message: Message): void {
  const inbox = bus.home.unread(message.to, message.id)
  try {
    linkOrCopy(bus.home.message(message.id), inbox)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    ensureInbox(bus.home, message.to)
    linkOrCopy(bus.home.message(message.id), inbox)
  }
}

/**
 * The name that the recipient has now: a rename is written down before the inbox is moved, and looked for after the link, so one of the two moves the message. Where
 * somebody was renamed since, who had the name at the id's time is meant: a newcomer may have it by now.
 */
function nameOfRecipient({ home }: Bus, message: Message, known: readonly Rename[]): string {
  return readRenames(home) === known ? nameNow(home, message.to) : withNamesNow(home, message).to
}

function afterSent(bus: Bus, message: Message, to: string, { silent, inReplyTo }: Draft): { warning?: string } {
  const strayed = to === message.to ? undefined : attempt(() => moveUnread(bus.home, message.to, to, message.id))
  const unsynced = strayed ?? attempt(() => syncDirectory(bus.home.inbox(to)))
  faultPoint('send:synced')
  const unrecorded = attempt(() => record(bus, 'sent', { ...sentFields(message), ...silentFields(silent) }))
  faultPoint('send:recorded')
  // Where this fails, the next look at the open tasks does it.
  attempt(() => noteAnswer(bus, inReplyTo, message))
  const unrung = silent ? undefined : attempt(() => ring(bus.home, to))
  faultPoint('send:rung')
  const failed = [
    ...(unsynced === undefined ? [] : [`made safe against a power cut (${unsynced})`]),
    ...(unrecorded === undefined ? [] : [`recorded in the history (${unrecorded})`]),
    ...(unrung === undefined ? [] : [`announced by the doorbell (${unrung})`]),
  ]
  return failed.length === 0 ? {} : { warning: `sent, but could not be ${failed.join(' nor be ')}` }
}

function noteAnswer({ home }: Bus, answered: Answered | undefined, message: Message): void {
  const { id, kind, to } = answered ?? {}
  if (id !== undefined && kind !== undefined && to !== undefined) noteTaskEnd(home, { id, kind, to }, message)
}

/** An awaited message is as good as rung; only what keeps still stands in the history. */
function silentFields(silent: Silent | undefined): { ring?: string; why?: string } {
  return silent === undefined || silent.ring === 'awaited' ? {} : { ring: silent.ring, why: silent.why }
}

function attempt(step: () => void): string | undefined {
  try {
    step()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
