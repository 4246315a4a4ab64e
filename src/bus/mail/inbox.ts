import { isUtf8 } from 'node:buffer'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { isCoded } from '../../errors.ts'
import { parseMessage } from '../../message/format.ts'
import { idOfFile } from '../../message/id.ts'
import { MAX_BODY_BYTES, type Message } from '../../message/message.ts'
import { isErrno, making } from '../../system/errno.ts'
import { faultPoint } from '../../system/fault.ts'
import { makeDirectory, namesIn, readPlainFile } from '../../system/files.ts'
import type { Bus } from '../bus.ts'
import { record } from '../history.ts'
import type { Home } from '../home.ts'
import { withNamesNow } from '../names/names.ts'
import { dropMark } from './marks.ts'
import { filesInOrder } from './order.ts'

/** The longest file that can be a message: a body, its header, and some room for fields to come. */
const MAX_FILE_BYTES = MAX_BODY_BYTES + 128 * 1024

/** A file that cannot be read as a message: where it was put, and why. */
export type BadFile = { file: string; path: string; why: string }

/** The messages of an inbox in the order of their ids, and the files that were moved to `bad/`. */
type InboxContent = { messages: Message[]; bad: BadFile[] }

/**
 * Reads up to `limit` unread messages, urgent ones first, then the oldest, leaving them unread. A
 * file that cannot be read as a message is moved to `bad/` and named in the history; the rest is
 * still given. An inbox that is not there is empty.
 */
export function readUnread(bus: Bus, name: string, limit = Number.POSITIVE_INFINITY): InboxContent {
  const unread = openInbox(bus, name)
  const messages: Message[] = []
  while (messages.length < limit) {
    const message = unread.next()
    if (message === undefined) break
    messages.push(message)
  }
  return { messages, bad: unread.bad }
}

/**
 * Unread messages, each opened when it is asked for: what is left over costs nothing. `bad` has the
 * files that were set aside on the way, `left` tells how many have not been opened.
 */
type OpenInbox = { next: () => Message | undefined; left: () => number; bad: BadFile[] }

/** As `readUnread`, one message at a time. */
export function openInbox(bus: Bus, name: string): OpenInbox {
  const files = filesInOrder(bus.home, name)
  const bad: BadFile[] = []
  let at = 0
  const next = () => {
    for (let file = files[at]; file !== undefined; file = files[at]) {
      at += 1
      const result = readMessageFile(join(bus.home.inbox(name), file), file, bus.home)
      if (typeof result === 'object') return result
      if (result !== undefined) bad.push(setAside(bus, name, file, result))
    }
    return undefined
  }
  return { next, left: () => files.length - at, bad }
}

/** Marks one message as read by moving its file. False where another reader was first. */
export function markRead(bus: Bus, name: string, id: string): boolean {
  faultPoint('inbox:printed')
  try {
    moveInto(bus.home.unread(name, id), bus.home.readDirectory(name), `${id}.md`)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false
    throw error
  }
  faultPoint('inbox:moved')
  dropMark(bus.home, name, id)
  record(bus, 'read', { id, by: name })
  return true
}

/**
 * Whether a message is in its recipient's inbox, read or not. One that is being sent is in the
 * archive and in its conversation before.
 */
export function isDelivered(home: Home, { to, id }: Pick<Message, 'to' | 'id'>): boolean {
  // Unread first: one that is read meanwhile is found at its second place.
  return existsSync(home.unread(to, id)) || existsSync(home.read(to, id))
}

/**
 * The message in a file, the reason why it is none, or undefined where the file is gone or its text
 * is not `wanted`. With `home`, sender and recipient go by the names that they have now; without,
 * by those in the file.
 */
export function readMessageFile(
  path: string,
  file: string,
  home?: Pick<Home, 'names'>,
  wanted: (text: string) => boolean = () => true,
): Message | string | undefined {
  const id = idOfFile(file)
  if (id === undefined) return 'its name is not the name of a message'
  const bytes = readPlainFile(path, MAX_FILE_BYTES)
  if (bytes === undefined) return undefined
  if (typeof bytes === 'string')
    return bytes === 'too long' ? 'it is too long for a message' : 'it is not a plain file'
  if (bytes.length === 0) return 'it is empty'
  if (!isUtf8(bytes) || bytes.includes(0)) return 'it is not text'
  const text = bytes.toString('utf8')
  if (!wanted(text)) return undefined
  try {
    const message = parseMessage(text, id)
    return home ? withNamesNow(home, message) : message
  } catch (error) {
    if (isCoded(error, 'MESSAGE_UNREADABLE')) return error.message
    throw error
  }
}

/** As `readMessageFile`, where it does not matter why a file holds no message. */
export function messageAt(
  path: string,
  id: string,
  home?: Pick<Home, 'names'>,
): Message | undefined {
  const message = readMessageFile(path, `${id}.md`, home)
  return typeof message === 'object' ? message : undefined
}

function setAside(bus: Bus, name: string, file: string, why: string): BadFile {
  const directory = bus.home.badDirectory(name)
  const taken = new Set(namesIn(directory))
  let free = file
  for (let count = 1; taken.has(free); count += 1) free = `${file}.${count}`
  moveInto(join(bus.home.inbox(name), file), directory, free)
  record(bus, 'bad', { inbox: name, file, why })
  return { file, path: join(directory, free), why }
}

function moveInto(path: string, directory: string, file: string): void {
  making(
    () => makeDirectory(directory),
    () => renameSync(path, join(directory, file)),
  )
}
