import { dirname } from 'node:path'
import { hostOf } from '../../message/address.ts'
import { parseId } from '../../message/id.ts'
import type { Message } from '../../message/message.ts'
import { priorityOf } from '../../message/priority.ts'
import { serializeMessage } from '../../message/serialize.ts'
import { progressIn } from '../../message/task.ts'
import { isoTime } from '../../message/time.ts'
import { making, reasonOf } from '../../system/errno.ts'
import { faultPoint } from '../../system/fault.ts'
import { removeFile, syncDirectory, writeNewFile } from '../../system/files.ts'
import { ownPid } from '../../system/user.ts'
import type { Bus } from '../bus.ts'
import { record, sentFields } from '../history.ts'
import { ensureHome } from '../home.ts'
import { inHome } from '../homeError.ts'
import { forgetInIndexes, noteInIndexes, noteTaskEnd } from '../index/indexes.ts'
import { nameNow, renamesVersion, withNamesNow } from '../names/names.ts'
import { moveUnread } from '../names/renameMove.ts'
import { ring } from './bell.ts'
import { type Answered, complete, type Draft, type Silent } from './draft.ts'
import { dropMark, type Mark, putMark } from './marks.ts'
import { makePlace, placeFor } from './place.ts'
import { linkOrCopy, publish } from './publish.ts'

type NewMark = Omit<Mark, 'chain' | 'at'>

/**
 * A message that was sent, with the name that its recipient has by then. `warning` tells what
 * failed after that moment, which makes the message no less sent.
 */
export type Sent = { message: Message; warning?: string }

/**
 * Sends a message: written and synced under a temporary name, published in the archive, linked into
 * the inbox (from then on it is sent), the directory synced, the history appended, the bell rung.
 * One for another machine is linked into that machine's queue in place of an inbox. The inbox's owner is not checked here. `messages/` itself is not synced: a power cut may take a
 * name from it, and the inbox has the file then. It is read from there, and `doctor` links it back
 * (`unarchived`). `before` is called with the message between the archive and the inbox: whoever
 * is woken by the inbox finds what it notes. Throws `HOME_UNUSABLE`, or what the system says, for a
 * message that is not sent.
 */
export function sendMessage(
  bus: Bus,
  draft: Draft,
  before?: { note: (message: Message) => void; failed: string },
): Sent {
  return inHome(bus.home, () => {
    const names = renamesVersion(bus.home)
    const message = archive(bus, draft)
    const unnoted = before && attempt(() => before.note(message))
    return finish(bus, message, names, draft, unnoted && `${before?.failed} (${unnoted})`)
  })
}

/**
 * As `sendMessage()`, for a message of another machine, which has its id. False where a message of
 * that id is in the archive. With `archived` it is that very message, whose delivery was cut short.
 */
export function sendReceived(
  bus: Bus,
  message: Message,
  draft: Pick<Draft, 'silent' | 'inReplyTo'>,
  archived = false,
): Sent | false {
  return inHome(bus.home, () => {
    const names = renamesVersion(bus.home)
    if (!archived && !archiveAs(bus, message, draft.silent)) return false
    return finish(bus, message, names, draft)
  })
}

function finish(
  bus: Bus,
  message: Message,
  names: string,
  draft: Pick<Draft, 'silent' | 'inReplyTo'>,
  unnoted?: string,
): Sent {
  deliver(bus, message)
  const to = nameOfRecipient(bus, message, names)
  return {
    message: to === message.to ? message : { ...message, to },
    ...afterSent(bus, message, to, draft, unnoted),
  }
}

/**
 * Takes one step more after a message was sent. A failure there, on a full disk for example, makes
 * it no less sent, and a sender who was told of a failure would send it again: it becomes a part of
 * the warning.
 */
export async function thenTry<T extends Sent>(
  sent: T,
  failed: string,
  step: () => unknown,
): Promise<T> {
  try {
    await step()
    return sent
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const warning = `sent, but ${failed} (${reason})`
    return { ...sent, warning: sent.warning ? `${sent.warning}; ${warning}` : warning }
  }
}

function archive(bus: Bus, draft: Draft): Message {
  // An answer to another machine is never older than its question, whatever its clock says.
  const away = hostOf(draft.to) !== undefined
  const asked = (away && parseId(draft.inReplyTo?.id ?? '')?.micros) || 0
  for (let later = 1; ; later += 1) {
    const message = complete(draft, Math.max(bus.clock.micros(), asked + later))
    if (archiveAs(bus, message, draft.silent ?? urgentMark(message))) return message
  }
}

/** False where another message has this id. The state of a task is never unread, and has no mark. */
function archiveAs(bus: Bus, message: Message, given: NewMark | undefined): boolean {
  const mark = progressIn(message) === undefined ? given : undefined
  const temporary = `${bus.home.messages}/.${message.id}.${ownPid()}.tmp`
  making(
    () => ensureHome(bus.home),
    () => writeNewFile(temporary, serializeMessage(message)),
  )
  faultPoint('send:written')
  try {
    if (!publishMarked(bus, message, temporary, mark)) return false
    faultPoint('send:published')
    return true
  } finally {
    removeFile(temporary)
  }
}

/**
 * Publishes a message. False where another message of this sender has the same microsecond. The
 * mark is written first: no doorbell may see the message without it.
 */
function publishMarked(
  bus: Bus,
  message: Message,
  temporary: string,
  mark: NewMark | undefined,
): boolean {
  if (mark) {
    const at = isoTime(bus.clock.now())
    putMark(bus.home, message.to, message.id, { ...mark, chain: message.chain, at })
  }
  let published = false
  try {
    published = publish(temporary, bus.home.message(message.id))
  } finally {
    if (mark && !published) dropMark(bus.home, message.to, message.id)
  }
  return published
}

/** Doorbells look at marks alone: the header would need a parser. */
function urgentMark(message: Message): NewMark | undefined {
  return priorityOf(message) === 'urgent' ? { ring: 'urgent', why: 'sent --urgent' } : undefined
}

/** A message whose delivery failed was refused: nothing of it stays for `doctor` to deliver. */
function deliver(bus: Bus, message: Message): void {
  try {
    // Whoever is woken by the inbox finds the conversation whole.
    noteInIndexes(bus.home, message)
    faultPoint('send:indexed')
    making(
      () => makePlace(bus.home, message.to),
      () => linkOrCopy(bus.home.message(message.id), placeFor(bus.home, message)),
    )
  } catch (error) {
    attempt(() => removeFile(bus.home.message(message.id)))
    attempt(() => forgetInIndexes(bus.home, message))
    attempt(() => dropMark(bus.home, message.to, message.id))
    throw error
  }
  faultPoint('send:linked')
}

/**
 * The name that the recipient has now. A rename is written down before the inbox is moved, and is
 * looked for here after the link, so one of the two moves the message. Where somebody was renamed
 * in between, the owner of the name at the id's time is meant: a newcomer may have it by now.
 */
function nameOfRecipient({ home }: Bus, message: Message, known: string): string {
  const version = renamesVersion(home)
  if (version === '') return message.to
  return version === known ? nameNow(home, message.to) : withNamesNow(home, message).to
}

function afterSent(
  bus: Bus,
  message: Message,
  to: string,
  { silent, inReplyTo }: Pick<Draft, 'silent' | 'inReplyTo'>,
  unnoted: string | undefined,
): { warning?: string } {
  const strayed =
    to === message.to ? undefined : attempt(() => moveUnread(bus.home, message.to, to, message.id))
  const unsynced =
    strayed ?? attempt(() => syncDirectory(dirname(placeFor(bus.home, { ...message, to }))))
  faultPoint('send:synced')
  const unrecorded = attempt(() =>
    record(bus, 'sent', { ...sentFields(message), ...silentFields(silent) }),
  )
  if (progressIn(message) !== undefined && hostOf(to) === undefined)
    attempt(() => record(bus, 'filed', { id: message.id, by: to }))
  faultPoint('send:recorded')
  // Where this fails, the next look at the open tasks does it.
  attempt(() => noteAnswer(bus, inReplyTo, message))
  const away = hostOf(to) !== undefined
  const unrung = silent || away ? undefined : attempt(() => ring(bus, to))
  faultPoint('send:rung')
  const failed = [
    ...(unnoted === undefined ? [] : [unnoted]),
    ...(unsynced === undefined ? [] : [`made safe against a power cut (${unsynced})`]),
    ...(unrecorded === undefined ? [] : [`recorded in the history (${unrecorded})`]),
    ...(unrung === undefined ? [] : [`announced by the doorbell (${unrung})`]),
  ]
  return failed.length === 0 ? {} : { warning: `sent, but could not be ${failed.join(' nor be ')}` }
}

function noteAnswer({ home }: Bus, answered: Answered | undefined, message: Message): void {
  const { id, kind, to } = answered ?? {}
  if (id !== undefined && kind !== undefined && to !== undefined)
    noteTaskEnd(home, { id, kind, to }, message)
}

/** An awaited message is as good as rung: the history does not call it silent. */
function silentFields(silent: Silent | undefined): { ring?: string; why?: string } {
  return silent === undefined || silent.ring === 'awaited'
    ? {}
    : { ring: silent.ring, why: silent.why }
}

function attempt(step: () => void): string | undefined {
  try {
    step()
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}
